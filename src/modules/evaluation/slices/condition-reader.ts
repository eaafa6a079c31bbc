import { Injectable } from '@nestjs/common';
import { NONE } from '../../../common/engine/evaluation/outcomes';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import { queryOf, SearchEngine, UnreadableSearchError, type SearchQuery } from '../../search';
import type { OpenedVersion } from '../../versions';
import { slicedValues, type SubjectCondition } from './sliced-values';

/** Fewer pictures make no condition. */
const LEAST_PICTURES = 5;
/** Pairs of conditions take memory by the square of their number. */
const MOST_CONDITIONS = 350;

export interface PictureCondition extends SubjectCondition {
  /** Ascending. */
  readonly pictures: Int32Array;
}

/** Finds which pictures fulfil which conditions, by the searches that people open them with. */
@Injectable()
export class ConditionReader {
  constructor(private readonly engine: SearchEngine) {}

  /** `rowOf` has the row of each picture, NONE without one. */
  async of(
    datasetId: string,
    version: OpenedVersion,
    tagNames: ReadonlyMap<string, string>,
    rowOf: Int32Array,
  ): Promise<readonly PictureCondition[]> {
    const rows = OrdinalSet.of(
      version.rows,
      rowOf.filter((row) => row !== NONE),
    );
    const conditions: PictureCondition[] = [];
    for await (const each of slicedValues(version, tagNames, this.engine.labelHierarchy, rows)) {
      if (conditions.length === MOST_CONDITIONS) break;
      const query = readable(each);
      if (query === undefined) continue;
      const pictures = await picturesIn(await this.engine.rowsOf(datasetId, version, query), rowOf);
      if (pictures.length >= LEAST_PICTURES) conditions.push({ ...each, pictures });
    }
    return conditions;
  }
}

/** Undefined for values that no search can name, such as a folder whose name is a blank. */
function readable({ condition: { vql } }: SubjectCondition): SearchQuery | undefined {
  try {
    return queryOf({ entityType: 'IMAGES', threshold: '0', caption: null, vql: vql === null ? [] : [vql] });
  } catch (error) {
    if (error instanceof UnreadableSearchError) return undefined;
    throw error;
  }
}

async function picturesIn(rows: OrdinalSet, rowOf: Int32Array): Promise<Int32Array> {
  const found: number[] = [];
  await inSlices(rowOf.length, (start, end) => {
    for (let picture = start; picture < end; picture++)
      if (rowOf[picture] !== NONE && rows.has(rowOf[picture]!)) found.push(picture);
  });
  return Int32Array.from(found);
}
