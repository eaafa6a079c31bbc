import { Worker, type Transferable } from 'node:worker_threads';
import { childEntry } from '../config/child-process';
import { endThread } from './thread-end';

/** The answer of a thread to the request with the same number. */
export interface ThreadAnswer<A = void> {
  readonly job: number;
  readonly answer?: A;
  readonly error?: unknown;
}

interface Pending {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface ThreadOptions {
  readonly folder: string;
  /** The name of the entry file, without its extension. */
  readonly name: string;
  readonly data?: unknown;
  /** Called once when the thread ends, for whatever reason. */
  readonly onEnd: (reason: Error) => void;
}

/** A thread that handles several requests at a time. While it is idle it does not keep the process running. */
export class AskedThread {
  private readonly worker: Worker;
  private readonly pending = new Map<number, Pending>();
  private failure: Error | undefined;
  private last = 0;

  constructor(private readonly options: ThreadOptions) {
    const { folder, name, data } = options;
    const { file, execArgv } = childEntry(folder, name);
    this.worker = new Worker(file, { execArgv, workerData: data })
      .on('message', (answer: ThreadAnswer<unknown>) => this.onAnswer(answer))
      .on('error', (error) => this.onFailure(error instanceof Error ? error : new Error(String(error))))
      .on('exit', (code) => this.onFailure(new Error(`The thread ${name} ended with code ${code}`)));
    this.worker.unref();
  }

  /** Sends a message that has no response. */
  tell(message: object, transferred: readonly Transferable[] = []): void {
    this.worker.postMessage(message, transferred);
  }

  ask<A = void>(requestOf: (job: number) => object, transferred: readonly Transferable[] = []): Promise<A> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.failure !== undefined) {
        reject(this.failure);
        return;
      }
      const job = ++this.last;
      this.worker.postMessage(requestOf(job), transferred);
      this.pending.set(job, { resolve, reject });
      this.worker.ref();
    }) as Promise<A>;
  }

  /** Whether a response is pending. */
  get isBusy(): boolean {
    return this.pending.size > 0;
  }

  end(): Promise<void> {
    return endThread(this.worker);
  }

  private onAnswer({ job, answer, error }: ThreadAnswer<unknown>): void {
    const asked = this.pending.get(job);
    this.pending.delete(job);
    if (this.pending.size === 0) this.worker.unref();
    if (error === undefined) asked?.resolve(answer);
    else asked?.reject(error);
  }

  private onFailure(error: Error): void {
    if (this.failure !== undefined) return;
    this.failure = error;
    for (const { reject } of this.pending.values()) reject(error);
    this.pending.clear();
    this.options.onEnd(error);
  }
}
