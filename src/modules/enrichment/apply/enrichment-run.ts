import type { OperationRun } from '../../tasks';

/** One run of an enrichment job. */
export interface EnrichmentRun extends OperationRun {
  /** The dataset that receives the results: the copy, or the dataset itself. */
  readonly targetId: string;
  /** Whether a model was never applied to the dataset before: one that refuses the first pictures is taken for the wrong one. */
  readonly isFirst: boolean;
}
