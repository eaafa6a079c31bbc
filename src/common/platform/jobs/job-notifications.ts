import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

/** Waits for runs of this process to end. Those of others end unnoticed, so whoever waits has to look for them. */
export class EndWatch {
  private ended = new AbortController();

  constructor(
    private readonly emitter: EventEmitter,
    private readonly isAwaited: (runId: string) => boolean,
  ) {
    emitter.on('ended', this.onEnded);
  }

  /** Returns whether an awaited run has ended since the last call, once one has or the time is over. */
  async next(ms: number, signal: AbortSignal): Promise<boolean> {
    const { signal: ended } = this.ended;
    await delay(ms, undefined, { signal: AbortSignal.any([ended, signal]) }).catch(() => signal.throwIfAborted());
    this.ended = new AbortController();
    return ended.aborted;
  }

  stop(): void {
    this.emitter.off('ended', this.onEnded);
  }

  private readonly onEnded = (runId: string): void => {
    if (this.isAwaited(runId)) this.ended.abort();
  };
}

/** Notifies this process immediately; others poll. */
@Injectable()
export class JobNotifications {
  private readonly emitter = new EventEmitter().setMaxListeners(0);

  enqueued(): void {
    this.emitter.emit('enqueued');
  }

  cancelled(runId: string): void {
    this.emitter.emit('cancelled', runId);
  }

  /** An attempt of the run has ended, and how is recorded. */
  ended(runId: string): void {
    this.emitter.emit('ended', runId);
  }

  watchEnds(isAwaited: (runId: string) => boolean): EndWatch {
    return new EndWatch(this.emitter, isAwaited);
  }

  onEnqueued(listener: () => void): void {
    this.emitter.on('enqueued', listener);
  }

  onCancelled(listener: (runId: string) => void): void {
    this.emitter.on('cancelled', listener);
  }
}
