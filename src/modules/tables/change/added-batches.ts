import { Injectable } from '@nestjs/common';

export interface AddedBatch {
  readonly datasetId: string;
  readonly batchId: string;
}

type Listener = (batch: AddedBatch) => Promise<void>;

/** Notifies listeners of added media, in the transaction that publishes them, so that both commit or neither does. */
@Injectable()
export class AddedBatches {
  private readonly listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  async notify(batch: AddedBatch): Promise<void> {
    for (const listener of this.listeners) await listener(batch);
  }
}
