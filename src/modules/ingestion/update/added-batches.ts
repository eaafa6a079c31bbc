import { Injectable } from '@nestjs/common';

export interface AddedBatch {
  readonly datasetId: string;
  readonly batchId: string;
}

type Listener = (batch: AddedBatch) => Promise<void>;

/** Tells who listens that media were added, in the transaction that shows them: either both stand, or neither. */
@Injectable()
export class AddedBatches {
  private readonly listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  async tell(batch: AddedBatch): Promise<void> {
    for (const listener of this.listeners) await listener(batch);
  }
}
