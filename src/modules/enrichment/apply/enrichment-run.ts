import type { OperationRun } from '../../tasks';

/** One run of an enrichment job. */
export interface EnrichmentRun extends OperationRun {
  /** The dataset that receives the results: the copy, or the dataset itself. */
  readonly targetId: string;
}
