import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';

/** Notifies the worker of this process immediately; others poll. */
@Injectable()
export class JobNotifications {
  private readonly emitter = new EventEmitter();

  enqueued(): void {
    this.emitter.emit('enqueued');
  }

  cancelled(runId: string): void {
    this.emitter.emit('cancelled', runId);
  }

  onEnqueued(listener: () => void): void {
    this.emitter.on('enqueued', listener);
  }

  onCancelled(listener: (runId: string) => void): void {
    this.emitter.on('cancelled', listener);
  }
}
