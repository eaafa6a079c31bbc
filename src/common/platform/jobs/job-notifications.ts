import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

/** Waits for runs of this process to end. Callers have to poll for runs of other processes. */
export class EndWatch {
  private ended = new AbortController();

  constructor(
    private readonly emitter: EventEmitter,
    private readonly isAwaited: (runId: string) => boolean,
  ) {
    emitter.on('ended', this.onEnded);
  }

  /** Waits until an awaited run ends or the time is over. Returns whether an awaited run has ended since the last call. */
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

/** Notifications within this process, for immediate reactions; other processes poll. */
@Injectable()
export class JobNotifications {
  private readonly emitter = new EventEmitter().setMaxListeners(0);

  enqueued(): void {
    this.emitter.emit('enqueued');
  }

  cancelled(runId: string): void {
    this.emitter.emit('cancelled', runId);
  }

  /** Call it when an attempt of the run has ended and its outcome is recorded. */
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
