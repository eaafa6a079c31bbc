import { Injectable } from '@nestjs/common';
import { OrdinalSet } from '../../common/engine/media-table/ordinal-set';
import { ConflictError } from '../../common/platform/errors/domain-error';
import { inSlices } from '../../common/platform/concurrency/in-slices';
import { SearchEngine, searchOf, UnreadableSearchError, type SearchQuery } from '../search';
import { SourceAnnotations, type OpenedVersion, type PlacedSource } from '../versions';
import { NothingToEvaluateError, SourceNotFoundError, type AskedEvaluation } from './domain/evaluation';
import { assertShapes } from './domain/shapes-of-task';

/** What an evaluation compares in a version of a dataset. */
export interface Compared {
  readonly truth: PlacedSource;
  readonly predictions: PlacedSource;
  /** The images and frames. */
  readonly rows: OrdinalSet;
}

/** Opens the sources of an evaluation, or says why they cannot be compared. */
@Injectable()
export class ComparedSources {
  constructor(
    private readonly annotations: SourceAnnotations,
    private readonly engine: SearchEngine,
  ) {}

  async open(datasetId: string, version: OpenedVersion, asked: AskedEvaluation): Promise<Compared> {
    const truth = await this.openTruth(datasetId, version, asked);
    return { ...truth, predictions: await this.source(version, asked.predictions, asked) };
  }

  /** Before there are predictions. */
  async openTruth(
    datasetId: string,
    version: OpenedVersion,
    asked: AskedEvaluation,
  ): Promise<Omit<Compared, 'predictions'>> {
    const truth = await this.source(version, asked.truth, asked);
    const rows = await this.rowsOf(datasetId, version, asked, truth);
    if (rows.size === 0) throw new NothingToEvaluateError();
    return { truth, rows };
  }

  private async source(
    { pointer, table }: OpenedVersion,
    name: string,
    { task }: AskedEvaluation,
  ): Promise<PlacedSource> {
    const placed = await this.annotations.open(pointer, table, name);
    if (placed === undefined) throw new SourceNotFoundError(name);
    assertShapes(name, task, await placed.counts());
    return placed;
  }

  private async rowsOf(
    datasetId: string,
    version: OpenedVersion,
    { filter, pictures }: AskedEvaluation,
    truth: PlacedSource,
  ): Promise<OrdinalSet> {
    const all = await version.index.rowsOf(['IMAGE', 'FRAME']);
    const found = filter === null ? all : (await this.engine.rowsOf(datasetId, version, queryOf(filter))).and(all);
    if (pictures === 'all') return found;
    const marked = OrdinalSet.none(version.rows);
    await inSlices(version.rows, (start, end) => {
      for (let row = start; row < end; row++) if (found.has(row) && truth.countAt(row) > 0) marked.add(row);
    });
    return marked;
  }
}

function queryOf(filter: object): SearchQuery {
  try {
    return searchOf(filter);
  } catch (error) {
    if (error instanceof UnreadableSearchError) throw new ConflictError(error.message);
    throw error;
  }
}
