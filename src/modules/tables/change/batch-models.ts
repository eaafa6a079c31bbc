import { Injectable } from '@nestjs/common';
import type { DatasetPointer } from '../../datasets';
import type { IndexingRun } from '../runs/indexing-run';
import type { RowSource } from '../rows/row-source';

export interface EnrichedBatch {
  readonly rows: RowSource;
  /** Messages for the user. */
  readonly warnings: readonly string[];
}

/** Applies the models of a dataset to new media. */
export interface BatchEnrichment {
  /** Continues after the work of an earlier run of the task. `onPart` gets the id of the model, and the part of all work that is done. */
  enrich(
    run: IndexingRun,
    pointer: DatasetPointer,
    rows: RowSource,
    onPart: (modelId: string, part: number) => void,
  ): Promise<EnrichedBatch>;
  /** Runs in the transaction that ends the task, and before a sweep deletes the files of one that has ended. */
  forget(taskId: string): Promise<void>;
}

/** Applies models to new media; registered by the module that has the models. */
@Injectable()
export class BatchModels {
  private registered: BatchEnrichment | undefined;

  register(enrichment: BatchEnrichment): void {
    if (this.registered !== undefined) throw new Error('register was called twice');
    this.registered = enrichment;
  }

  get enrichment(): BatchEnrichment {
    if (this.registered === undefined) throw new Error('register was not called');
    return this.registered;
  }
}
