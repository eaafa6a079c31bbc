import { Injectable } from '@nestjs/common';
import type { JobContext } from '../../../common/platform/jobs/job-handler';
import { DatasetReader, type Dataset, type DatasetPointer } from '../../datasets';
import {
  BatchMatches,
  evaluationsOf,
  NOTHING_MATCHES,
  queryOf,
  UnreadableSearchError,
  type SearchQuery,
} from '../../search';
import type { SavedView } from '../domain/saved-view';
import { ViewEvaluationRepository } from '../persistence/view-evaluation.repository';
import { RecordEvaluationStep } from './record-evaluation.step';

/** In how many batches a view waits; older ones are recorded without matches. */
export const MOST_WAITING = 100;

export interface AskedView {
  readonly view: SavedView;
  readonly query: SearchQuery | UnreadableSearchError;
  /** The evaluations of predictions that it names. */
  readonly evaluations: readonly string[];
}

export function askedOf(view: SavedView): AskedView {
  try {
    const query = queryOf(view.search);
    return { view, query, evaluations: evaluationsOf(query) };
  } catch (error) {
    if (error instanceof UnreadableSearchError) return { view, query: error, evaluations: [] };
    throw error;
  }
}

interface AddedBatch {
  readonly batchId: string;
  readonly dataset: Dataset;
}

/** Calls the work with a version of the dataset. */
type InVersion = <T>(work: (pointer: DatasetPointer) => Promise<T>) => Promise<T>;

/** Views that search by an evaluation find nothing in a batch before a run has compared pictures of the batch, so they wait for one. */
@Injectable()
export class WaitingViews {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly evaluations: ViewEvaluationRepository,
    private readonly matches: BatchMatches,
    private readonly recordEvaluation: RecordEvaluationStep,
  ) {}

  /** Returns the views that need not wait, or no longer. */
  async exclude(
    views: readonly AskedView[],
    { batchId, dataset }: AddedBatch,
    context: JobContext,
    inVersion: InVersion,
  ): Promise<readonly AskedView[]> {
    const naming = views.filter(({ evaluations }) => evaluations.length > 0);
    if (naming.length === 0) return views;
    // All wait before it is known which of them have to: a run that ends meanwhile finds them.
    await context.commit(() => this.wait(naming, batchId, dataset));
    const ids = [...new Set(naming.flatMap(({ evaluations }) => evaluations))];
    const missing = await inVersion((pointer) =>
      this.matches.notCompared({ datasetId: dataset.id, pointer, batchId }, ids),
    );
    const isReady = ({ evaluations }: AskedView): boolean => !evaluations.some((id) => missing.has(id));
    const ready = naming.filter(isReady).map(({ view }) => view.id);
    await context.commit(() => this.evaluations.stopWaiting(batchId, ready));
    return views.filter(isReady);
  }

  private async wait(naming: readonly AskedView[], batchId: string, dataset: Dataset): Promise<void> {
    // A run of an evaluation ends with the dataset locked.
    await this.datasets.lock(dataset.id);
    await this.evaluations.wait(batchId, new Map(naming.map(({ view, evaluations }) => [view.id, evaluations])));
    const viewIds = naming.map(({ view }) => view.id);
    for (const old of await this.evaluations.listWaitingBefore(viewIds, MOST_WAITING))
      await this.recordEvaluation.record(old.viewId, old.batchId, dataset, NOTHING_MATCHES);
  }
}
