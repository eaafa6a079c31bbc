import { Injectable } from '@nestjs/common';

/** A run of the evaluation was completed, or the evaluation was deleted. */
export interface ChangedEvaluation {
  readonly datasetId: string;
  readonly evaluationId: string;
}

type Listener = (changed: ChangedEvaluation) => Promise<void>;

/** Notifies listeners in the transaction that makes the change and has locked the dataset, so that both commit or neither does. */
@Injectable()
export class EvaluationChanges {
  private readonly listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  async notify(changed: ChangedEvaluation): Promise<void> {
    for (const listener of this.listeners) await listener(changed);
  }
}
