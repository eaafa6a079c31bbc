import { Inject, Injectable } from '@nestjs/common';
import { ENTITY_KINDS, type EntityKind } from '../../common/engine/media-table/media-row';
import { OrdinalSet } from '../../common/engine/media-table/ordinal-set';
import { DATASET_POINTER_READER, type DatasetPointerReader } from './dataset-pointer';
import type { FolderCount } from './domain/folder-index';
import { inSlices } from './domain/in-slices';
import type { LabelCount } from './domain/label-index';
import { MEASURED_ISSUES, rowsBetween } from './domain/measure-columns';
import { DEFAULT_THRESHOLDS, type IssueName } from './domain/query/filter';
import type { MetadataType } from '../../common/engine/media-table/media-row';
import type { ValueCount } from './domain/metadata-column';
import type { SearchQuery } from './domain/query/search-query';
import type { OpenedVersion } from './opened-version';
import { SearchEngine } from './search-engine';
import { assertSearchable } from './searchable';
import type { TagCount } from './tag-counts';
import { VersionOpener } from './version-opener';

/** The values of a field of people in a result: the most frequent of them, or the range of numbers and datetimes. */
export interface FieldFacet {
  readonly name: string;
  readonly type: MetadataType;
  /** Of media with a value. */
  readonly count: number;
  readonly values: readonly ValueCount[] | null;
  /** Of datetimes in milliseconds. */
  readonly range: { readonly min: number; readonly max: number } | null;
}

/** Of a field. */
const MOST_VALUES = 100;

export interface Facets {
  readonly total: number;
  readonly kinds: Readonly<Record<EntityKind, number>>;
  readonly labels: readonly LabelCount[];
  readonly unlabeled: number;
  readonly tags: readonly TagCount[];
  readonly untagged: number;
  readonly issues: readonly { readonly issue: IssueName; readonly count: number }[];
  readonly folders: readonly FolderCount[];
  readonly fields: readonly FieldFacet[];
  /** Set if the search may have missed some. */
  readonly recall: number | undefined;
}

const NO_KINDS = Object.fromEntries(ENTITY_KINDS.map((kind) => [kind, 0])) as Record<EntityKind, number>;
const NOTHING: Facets = {
  total: 0,
  kinds: NO_KINDS,
  labels: [],
  unlabeled: 0,
  tags: [],
  untagged: 0,
  issues: [],
  folders: [],
  fields: [],
  recall: undefined,
};

/** Counts a result by label, tag, issue, kind, folder and field of people. */
@Injectable()
export class FacetsService {
  constructor(
    @Inject(DATASET_POINTER_READER) private readonly pointers: DatasetPointerReader,
    private readonly versions: VersionOpener,
    private readonly engine: SearchEngine,
  ) {}

  async of(datasetId: string, query: SearchQuery, snapshotId?: string): Promise<Facets> {
    const { pointer, status } = await this.pointers.get(datasetId, snapshotId);
    assertSearchable(query, status);
    if (pointer === null) return NOTHING;
    return this.versions.browse(pointer, (version) => this.count(datasetId, version, query));
  }

  private async count(datasetId: string, version: OpenedVersion, query: SearchQuery): Promise<Facets> {
    const rows = await this.engine.rowsOf(datasetId, version, query);
    const total = rows.size;
    const { labels } = version.index;
    const tags = await version.tags();
    return {
      total,
      kinds: await countKinds(rows, version.index.kinds),
      labels: await labels.counts(rows),
      unlabeled: rows.and(await labels.holdingNone()).size,
      tags: tags.tagIds.flatMap((id) => {
        const count = tags.with(id).reduce((sum, row) => sum + (rows.has(row) ? 1 : 0), 0);
        return count === 0 ? [] : [{ id, count }];
      }),
      untagged: total - rows.and(OrdinalSet.of(version.rows, tags.tagged())).size,
      issues: await countIssues(version, rows, query),
      folders: await (await version.folders()).counts(rows),
      fields: await countFields(version, rows),
      recall: version.recall,
    };
  }
}

async function countKinds(rows: OrdinalSet, kinds: Int8Array): Promise<Record<EntityKind, number>> {
  const counts = new Int32Array(ENTITY_KINDS.length);
  await inSlices(kinds.length, (start, end) => {
    for (let row = start; row < end; row++) if (rows.has(row)) counts[kinds[row]!]!++;
  });
  return Object.fromEntries(ENTITY_KINDS.map((kind, i) => [kind, counts[i]!])) as Record<EntityKind, number>;
}

/** Fields without a value in the result are left out. */
async function countFields(version: OpenedVersion, rows: OrdinalSet): Promise<FieldFacet[]> {
  const fields: FieldFacet[] = [];
  for await (const column of version.allMetadata()) {
    const { name, type } = column;
    if (type === 'float' || type === 'datetime') {
      const range = await column.range(rows);
      if (range !== undefined) fields.push({ name, type, values: null, count: range.count, range });
      continue;
    }
    const values = await column.mostFrequent(rows, MOST_VALUES);
    if (values.length === 0) continue;
    const count = await column.count(rows);
    fields.push({ name, type, range: null, count, values });
  }
  return fields;
}

async function countIssues(version: OpenedVersion, rows: OrdinalSet, query: SearchQuery): Promise<Facets['issues']> {
  const measures = await version.measures();
  const issues: { issue: IssueName; count: number }[] = [];
  for (const issue of MEASURED_ISSUES) {
    const found = await rowsBetween(measures[issue], DEFAULT_THRESHOLDS[issue], Infinity);
    issues.push({ issue, count: rows.and(found).size });
  }
  const { groupOf } = await version.duplicates(query.entityType, DEFAULT_THRESHOLDS.duplicates);
  const copies = await rowsBetween(groupOf, 0, Infinity);
  return [...issues, { issue: 'duplicates', count: rows.and(copies).size }];
}
