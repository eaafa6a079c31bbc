import { fork, type ChildProcess } from 'node:child_process';
import { childEntry, childEnvironment } from '../../platform/config/child-process';
import { deserializeError } from '../../platform/outage/outage';
import type { CheckedModel } from '../models/child-openers';
import type { FromChild, ToChild } from './compute-messages';
import type { ComputeRequest, ComputeResult } from './media-analysis';
import type { MemoryLimits } from './memory-share';
import { MEMORY_SIGNAL } from './readers/reader-messages';

export interface ComputeJob {
  readonly id: number;
  readonly request: ComputeRequest;
  /** Null if the request needs no model. */
  readonly model: CheckedModel | null;
  readonly signal: AbortSignal | undefined;
  /** The number of children that crashed or hung on this file. */
  failures: number;
  readonly done: (result: ComputeResult) => void;
  readonly failed: (error: Error) => void;
}

export interface Departure {
  readonly wasReady: boolean;
  /** Why the child cannot work, as it reported. */
  readonly unusable: string | undefined;
  readonly timedOut: boolean;
  readonly outOfMemory: boolean;
  /** The model that was being loaded, which is then the cause instead of a file. */
  readonly loading: string | undefined;
  readonly atFault: readonly ComputeJob[];
  /** If false, the child was only reading the files, one of which may be the cause. */
  readonly hadBegun: boolean;
  readonly unaffected: readonly ComputeJob[];
}

export interface WorkerLimits extends MemoryLimits {
  readonly imageTimeoutMs: number;
  readonly videoTimeoutMs: number;
  readonly textTimeoutMs: number;
  readonly residentBytes: number;
  readonly idleMs: number;
}

export interface WorkerEvents {
  onRoom(worker: ComputeWorker): void;
  onLoaded(modelId: string): void;
  /** The job waits until `admit` is called. */
  onLarge(worker: ComputeWorker, job: ComputeJob): void;
  onGone(worker: ComputeWorker, departure: Departure): void;
}

type WorkingKind = Extract<FromChild, { type: 'working' }>['kind'];

/** One compute child with the files assigned to it and those in progress. */
export class ComputeWorker {
  readonly gone: Promise<void>;
  private readonly child: ChildProcess;
  private readonly jobs = new Map<number, ComputeJob>();
  /** The files in progress, each with its deadline. */
  private readonly working = new Map<ComputeJob, { readonly kind: WorkingKind; readonly deadline: NodeJS.Timeout }>();
  /** The jobs with memory for a large image, each with the callback for its end. */
  private readonly admitted = new Map<ComputeJob, () => void>();
  private loading: string | undefined;
  /** By id, the models that were sent to the child. */
  private readonly told = new Map<string, CheckedModel>();
  /** The ids of the models that the child has opened; some may have been closed since. */
  private readonly loaded = new Set<string>();
  /** The growth of the child while it loaded models, which does not count towards its limit. */
  private bytesOfModels = 0;
  private idle: NodeJS.Timeout | undefined;
  private ready = false;
  private retiring = false;
  private overdue: ComputeJob | undefined;
  private unusable: string | undefined;

  constructor(
    start: Extract<ToChild, { type: 'start' }>,
    firstModel: CheckedModel | null,
    private readonly limits: WorkerLimits,
    private readonly events: WorkerEvents,
  ) {
    this.child = forkChild();
    this.child.on('message', (message) => this.hear(message as FromChild));
    this.child.on('error', () => this.kill());
    this.gone = this.whenGone();
    this.send(start);
    this.tell(firstModel);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get load(): number {
    return this.jobs.size;
  }

  get accepts(): boolean {
    return !this.retiring && this.child.connected;
  }

  hasLoaded(modelId: string): boolean {
    return this.loaded.has(modelId);
  }

  give(job: ComputeJob): void {
    clearTimeout(this.idle);
    this.jobs.set(job.id, job);
    this.tell(job.model);
    this.send({ type: 'analyze', id: job.id, request: job.request, alone: job.failures > 0 });
  }

  cancel(job: ComputeJob): void {
    if (this.jobs.has(job.id)) this.send({ type: 'cancel', id: job.id });
  }

  /** Grants the memory. Resolves when the job is finished. */
  admit(job: ComputeJob): Promise<void> {
    const working = this.working.get(job);
    if (working === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.admitted.set(job, resolve);
      this.startWorking(job.id, working.kind);
      this.send({ type: 'go', id: job.id });
    });
  }

  /** Accepts no more files, and exits when all are finished. */
  retire(): void {
    this.retiring = true;
    if (this.jobs.size === 0) this.kill();
  }

  kill(): void {
    this.retiring = true;
    const { pid } = this.child;
    if (pid === undefined || this.child.exitCode !== null || this.child.signalCode !== null) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      this.child.kill('SIGKILL');
    }
  }

  private tell(model: CheckedModel | null): void {
    if (model === null || this.told.get(model.manifest.id) === model) return;
    const { folder, manifest } = model;
    this.told.set(manifest.id, model);
    this.send({ type: 'load', model: { folder, manifest } });
  }

  private send(message: ToChild): void {
    // The exit handler does the rest.
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  private hear(message: FromChild): void {
    switch (message.type) {
      case 'ready':
        this.ready = true;
        this.restIfIdle();
        return;
      case 'unusable':
        this.unusable = message.message;
        this.kill();
        return;
      case 'loading':
        this.loading = message.modelId;
        this.bytesOfModels -= message.residentBytes;
        return;
      case 'loaded':
        this.loading = undefined;
        this.loaded.add(message.modelId);
        this.bytesOfModels += message.residentBytes;
        this.events.onLoaded(message.modelId);
        return;
      case 'working':
        this.startWorking(message.id, message.kind);
        return;
      case 'large':
        this.waitForMemory(message.id);
        return;
      case 'done':
        this.finish(message.id, (job) => job.done(message.result));
        if (message.residentBytes - this.bytesOfModels > this.limits.residentBytes) this.retire();
        return;
      case 'failed':
        this.finish(message.id, (job) => job.failed(deserializeError(message.error)));
    }
  }

  private finish(id: number, how: (job: ComputeJob) => void): void {
    const job = this.jobs.get(id);
    if (!job) return;
    this.jobs.delete(id);
    this.stopWorking(job);
    how(job);
    if (this.retiring) this.retire();
    this.events.onRoom(this);
    this.restIfIdle();
  }

  private waitForMemory(id: number): void {
    const job = this.jobs.get(id);
    if (!job) return;
    // The time limit starts again when the request gets the memory.
    clearTimeout(this.working.get(job)?.deadline);
    this.events.onLarge(this, job);
  }

  private stopWorking(job: ComputeJob): void {
    clearTimeout(this.working.get(job)?.deadline);
    this.working.delete(job);
    this.admitted.get(job)?.();
    this.admitted.delete(job);
  }

  private startWorking(id: number, kind: WorkingKind): void {
    const job = this.jobs.get(id);
    if (!job) return;
    // Each region of a picture has the time limit of a picture.
    clearTimeout(this.working.get(job)?.deadline);
    const deadline = setTimeout(() => {
      this.overdue ??= job;
      this.kill();
    }, this.timeoutMsOf(kind));
    this.working.set(job, { kind, deadline });
  }

  private timeoutMsOf(kind: WorkingKind): number {
    const { imageTimeoutMs, videoTimeoutMs, textTimeoutMs } = this.limits;
    return { IMAGE: imageTimeoutMs, VIDEO: videoTimeoutMs, TEXT: textTimeoutMs }[kind];
  }

  private restIfIdle(): void {
    if (this.jobs.size > 0) return;
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.retire(), this.limits.idleMs);
    this.idle.unref();
  }

  private async whenGone(): Promise<void> {
    const ended = new Promise<NodeJS.Signals | null>((resolve) =>
      this.child.once('exit', (_, signal) => resolve(signal)).once('error', () => resolve(null)),
    );
    // Results that were already sent still count.
    const drained = new Promise<void>((resolve) => this.child.once('disconnect', resolve));
    const [signal] = await Promise.all([ended, this.child.pid === undefined ? undefined : drained]);
    clearTimeout(this.idle);
    const held = [...this.jobs.values()];
    const blamed = this.blamed();
    const hadBegun = this.overdue !== undefined || this.working.size > 0;
    for (const job of held) this.stopWorking(job);
    this.jobs.clear();
    this.events.onGone(this, {
      wasReady: this.ready,
      unusable: this.unusable,
      timedOut: this.overdue !== undefined,
      outOfMemory: signal === MEMORY_SIGNAL,
      loading: this.loading,
      atFault: blamed,
      hadBegun,
      unaffected: held.filter((job) => !blamed.includes(job)),
    });
  }

  private blamed(): ComputeJob[] {
    if (this.overdue) return [this.overdue];
    if (this.loading !== undefined) return [];
    const working = [...this.working.keys()];
    // Texts are cheap to repeat, whereas a file that is blamed twice is rejected.
    const texts = working.filter(({ request }) => request.kind === 'describe-text');
    if (working.length > 0) return texts.length > 0 ? texts : working;
    return this.ready ? [...this.jobs.values()] : [];
  }
}

function forkChild(): ChildProcess {
  const { file, execArgv } = childEntry(__dirname, 'compute-child');
  return fork(file, [], {
    serialization: 'advanced',
    // One child per core: helper threads of the garbage collector would only compete with them.
    execArgv: ['--max-old-space-size=512', '--single-threaded-gc', ...execArgv],
    // Limits the number of malloc arenas; with many, freed memory is not returned to the system.
    env: { ...childEnvironment(), MALLOC_ARENA_MAX: '2' },
    // A separate process group: killing it includes ffmpeg, and Ctrl-C reaches only the parent.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}
