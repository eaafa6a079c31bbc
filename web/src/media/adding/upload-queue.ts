import { ConflictError, InvalidRequestError, RateLimitedError, UnauthenticatedError } from 'dataset-media-service-sdk';
import { isOutage } from '../../api/client';
import { connection } from '../../api/connection-state';
import { texts } from '../../texts';
import type { PathFile } from './picked-files';
import { bytesOf, firstBatch, refusedLike, refusedOf } from './upload-rules';
import type { UploadTarget } from './upload-target';

export interface RefusedFile {
  readonly path: string;
  readonly reason: string;
}

export interface UploadState {
  readonly total: number;
  readonly done: number;
  readonly totalBytes: number;
  readonly sentBytes: number;
  /** How far the dataset's change is that is waited for. */
  readonly changePercent: number;
  readonly refused: readonly RefusedFile[];
  /** The service's reports about the files. */
  readonly notes: readonly string[];
  readonly phase: 'sending' | 'waiting' | 'signed-out' | 'blocked' | 'adding' | 'failed' | 'over';
  readonly failure: string | null;
}

const LONGEST_WAIT_MS = 10_000;
const WHILE_BUSY_MS = 1_500;
const MOST_CONFLICTS = 3;

/** Sends files in batches, waits during outages, and continues after a failure. */
export class UploadQueue {
  private state: UploadState;
  private pending: PathFile[];
  private pendingBytes: number;
  private readonly listeners = new Set<() => void>();

  constructor(
    readonly id: number,
    readonly target: UploadTarget,
    files: readonly PathFile[],
  ) {
    this.pending = [...files];
    this.pendingBytes = bytesOf(files);
    this.state = {
      total: files.length,
      done: 0,
      totalBytes: this.pendingBytes,
      sentBytes: 0,
      changePercent: 0,
      refused: [],
      notes: [],
      phase: 'sending',
      failure: null,
    };
  }

  readonly read = (): UploadState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  async run(): Promise<void> {
    this.change({ phase: 'sending', failure: null });
    const release = connection.hold();
    try {
      await this.patiently(() => this.target.open());
      while (this.pending.length > 0) await this.sendBatch(firstBatch(this.pending, this.target.most));
      const { refused, total } = this.state;
      if (refused.length === total) throw new Error(total === 1 ? refused[0]!.reason : texts.adding.upload.nothing);
      const notes = await this.patiently(() => this.target.finish());
      await this.untilFree('adding');
      this.change({ notes, phase: 'over' });
    } catch (error) {
      this.change({ phase: 'failed', failure: error instanceof Error ? error.message : String(error) });
    } finally {
      release();
    }
  }

  /** A batch with a file that the service refuses is sent again without it. */
  private async sendBatch(batch: readonly PathFile[]): Promise<void> {
    try {
      await this.deliver(batch);
      this.settle(batch);
    } catch (error) {
      if (error instanceof UnreadableFilesError) {
        this.settle(error.files, error.message);
        return;
      }
      if (!(error instanceof InvalidRequestError)) throw error;
      const refused = refusedOf(batch, error.detail);
      if (refused === undefined) {
        await this.sendBatch(batch.slice(0, Math.ceil(batch.length / 2)));
        return;
      }
      this.settle([refused], error.message);
      this.settle(refusedLike(refused, error.detail, this.pending), texts.adding.upload.unsupported);
    }
  }

  /** Until the service has accepted it. Other users may change the dataset in between. */
  private async deliver(batch: readonly PathFile[]): Promise<void> {
    const isLast = batch.length === this.pending.length;
    const before = this.state.totalBytes - this.pendingBytes;
    const bytes = bytesOf(batch);
    const onSent = (part: number) => this.change({ sentBytes: before + part * bytes });
    for (let conflicts = 0; ; conflicts += 1) {
      await this.untilFree('blocked');
      this.change({ phase: 'sending' });
      try {
        await this.patiently(() => readably(batch, () => this.target.send(batch, isLast, onSent)));
        break;
      } catch (error) {
        this.change({ sentBytes: before });
        if (!(error instanceof ConflictError) || conflicts >= MOST_CONFLICTS) throw error;
      }
    }
    await this.untilFree('adding');
  }

  private async untilFree(phase: 'blocked' | 'adding'): Promise<void> {
    for (;;) {
      const percent = await this.patiently(() => this.target.changePercent());
      if (percent === null) return;
      this.change({ phase, changePercent: percent });
      await delay(WHILE_BUSY_MS);
    }
  }

  private settle(files: readonly PathFile[], reason?: string): void {
    const settled = new Set(files);
    this.pending = this.pending.filter((each) => !settled.has(each));
    const refused = reason === undefined ? [] : files.map(({ path }) => ({ path, reason }));
    this.pendingBytes -= bytesOf(files);
    const { done, totalBytes, refused: earlier } = this.state;
    const sentBytes = totalBytes - this.pendingBytes;
    this.change({ done: done + files.length, sentBytes, refused: [...earlier, ...refused] });
  }

  private async patiently<T>(call: () => Promise<T>): Promise<T> {
    const { phase } = this.state;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await call();
        if (this.state.phase !== phase) this.change({ phase });
        return answer;
      } catch (error) {
        if (error instanceof UnauthenticatedError) {
          this.change({ phase: 'signed-out' });
          await connection.untilSignedIn();
          continue;
        }
        if (error instanceof RateLimitedError) {
          await delay((error.retryAfterSeconds ?? 1) * 1000);
          continue;
        }
        if (!isOutage(error)) throw error;
        this.change({ phase: 'waiting' });
        await delay(Math.min(500 * 2 ** attempt, LONGEST_WAIT_MS));
      }
    }
  }

  private change(part: Partial<UploadState>): void {
    this.state = { ...this.state, ...part };
    for (const listener of this.listeners) listener();
  }
}

const delay = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

class UnreadableFilesError extends Error {
  constructor(readonly files: readonly PathFile[]) {
    super(texts.adding.upload.gone);
  }
}

const isReadable = ({ file }: PathFile): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

/** A file that was deleted or changed since it was chosen looks like an outage, and would be sent for ever. */
async function readably(batch: readonly PathFile[], send: () => Promise<void>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!isOutage(error)) throw error;
    const readable = await Promise.all(batch.map(isReadable));
    const gone = batch.filter((_, at) => !readable[at]);
    throw gone.length === 0 ? error : new UnreadableFilesError(gone);
  }
}
