import { rm } from 'node:fs/promises';
import { observeCall } from '../../platform/observability/observed-calls';
import { Turns } from '../../platform/concurrency/turns';
import { MediaRoots } from '../../platform/storage/sources/media-roots';
import type { PictureModelType } from '../models/picture-model';
import type { CheckedModel } from '../models/child-openers';
import { modelToLoad } from './compute-messages';
import { ComputeModels, ComputeUnavailableError } from './compute-models';
import { ComputeWorker, type ComputeJob, type Departure, type WorkerLimits } from './compute-worker';
import type {
  AnalyzeRequest,
  AnalyzeResult,
  ApplyRequest,
  ApplyResult,
  ComputeRequest,
  ComputeResult,
  CutRequest,
  CutResult,
  DescribedText,
  DescribeTextRequest,
  EmbedRequest,
  EmbedResult,
  EncodeRequest,
  EncodeResult,
  Quarantined,
  TextRequest,
  TileRequest,
} from './media-analysis';
import { newScratchFolder, sweepScratchFolders } from './scratch-folder';
import type { StorageConfig } from '../../platform/storage/create-storage';

export interface ComputeConfig extends Omit<StorageConfig, 'secretKey'> {
  readonly dataDir: string;
  readonly modelsDir: string | null;
  readonly workerConcurrency: number;
}

const MAX_FAILED_STARTS = 3;

export interface PoolLimits extends WorkerLimits {
  /** The number of files per child: two are analysed while the next one is read and the last one is stored. */
  readonly filesPerChild: number;
  /** How often a child may crash or hang during a file until the file is rejected. */
  readonly attempts: number;
}

const LIMITS: PoolLimits = {
  filesPerChild: 4,
  attempts: 2,
  imageTimeoutMs: 60_000,
  videoTimeoutMs: 600_000,
  textTimeoutMs: 30_000,
  residentBytes: 800 * 1024 * 1024,
  memoryBytes: 1024 ** 3,
  largeMemoryBytes: 3 * 1024 ** 3,
  toolMemoryBytes: 1.5 * 1024 ** 3,
  idleMs: 30_000,
};

interface Options {
  readonly signal?: AbortSignal;
}

/** A pool of child processes that decode and analyse files, so that a harmful file can crash only a child. */
export class ComputePool {
  private readonly limits: PoolLimits;
  private readonly workers = new Set<ComputeWorker>();
  private readonly waiting: ComputeJob[] = [];
  /** For the signal of each job, the sequence number of the last request that was assigned to a child. */
  private readonly lastTurns = new WeakMap<AbortSignal, number>();
  private turns = 0;
  private readonly scratch: string;
  private readonly roots: MediaRoots;
  private readonly models: ComputeModels;
  /** Serialises images that need much memory. */
  private readonly large = new Turns(1);
  private swept: Promise<void> | undefined;
  private lastId = 0;
  private failedStarts = 0;
  /** How many times in a row a child ended while loading the model, by model id. */
  private readonly failedLoads = new Map<string, number>();
  private stopped = false;

  constructor(
    private readonly config: ComputeConfig,
    limits: Partial<PoolLimits> = {},
  ) {
    this.limits = { ...LIMITS, ...limits };
    this.scratch = newScratchFolder(config.dataDir);
    this.roots = new MediaRoots(config.mediaRoots);
    this.models = new ComputeModels(config);
  }

  /** The number of files in progress that keeps every child busy; more would only wait. */
  get capacity(): number {
    return this.config.workerConcurrency * this.limits.filesPerChild;
  }

  /** The number of requests that no child has started. */
  get waitingRequests(): number {
    return this.waiting.length;
  }

  get childPids(): readonly number[] {
    return [...this.workers].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  /** Rejects on failures of the store, the network, the children or the media folders, but never because of the content of a file. */
  async analyze(request: AnalyzeRequest, options: Options = {}): Promise<AnalyzeResult> {
    return (await this.compute({ kind: 'analyze', ...request }, options)) as AnalyzeResult;
  }

  /** Analyses objects in an image, but not the image. */
  async cut(request: CutRequest, options: Options = {}): Promise<CutResult> {
    return (await this.compute({ kind: 'cut', ...request }, options)) as CutResult;
  }

  async embed(request: EmbedRequest, options: Options = {}): Promise<EmbedResult> {
    return (await this.observed({ kind: 'embed', ...request }, options)) as EmbedResult;
  }

  /** Applies a model that runs in the children. */
  async apply<Type extends PictureModelType>(
    request: ApplyRequest<Type>,
    options: Options = {},
  ): Promise<ApplyResult<Type>> {
    return (await this.observed({ kind: 'apply', ...request }, options)) as ApplyResult<Type>;
  }

  /** Decodes a picture and encodes it for a server. */
  async encode(request: EncodeRequest, options: Options = {}): Promise<EncodeResult> {
    return (await this.compute({ kind: 'encode', ...request }, options)) as EncodeResult;
  }

  async cutTile(request: TileRequest, options: Options = {}): Promise<EncodeResult> {
    return (await this.compute({ kind: 'tile', ...request }, options)) as EncodeResult;
  }

  /** Returns the vector of a text, by a model that runs in the children. Does not wait for files. */
  async describeText(request: DescribeTextRequest, options: Options = {}): Promise<Float32Array> {
    const result = (await this.observed({ kind: 'describe-text', ...request }, options)) as DescribedText | Quarantined;
    if (result.kind === 'TEXT') return result.embedding;
    throw new ComputeUnavailableError(
      `The model ${request.modelId} crashed its compute process, or exceeded its time limit.`,
    );
  }

  /** Starts the children and loads the model before the first file arrives. */
  warmUp(modelId: string): void {
    const start = (model: CheckedModel): void => {
      while (!this.stopped && this.workers.size < this.config.workerConcurrency) this.startWorker(model);
    };
    // If the model cannot be found, the request that needs it reports the reason.
    this.models.find({ type: 'IMAGE_ENCODING', id: modelId }).then(start, () => undefined);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.failAll(this.waiting.splice(0), 'The compute children are being stopped.');
    const workers = [...this.workers];
    for (const worker of workers) worker.kill();
    await Promise.all(workers.map(({ gone }) => gone));
    await rm(this.scratch, { recursive: true, force: true });
  }

  /** Measures requests whose duration is that of the model. */
  private observed(request: ComputeRequest & { readonly modelId: string }, options: Options): Promise<ComputeResult> {
    return observeCall(
      'model',
      request.modelId,
      () => this.compute(request, options),
      () => (options.signal?.aborted === true ? 'interrupted' : 'failed'),
    );
  }

  private async compute(request: ComputeRequest, options: Options): Promise<ComputeResult> {
    const result = await this.computeInChild(request, options);
    if (result.kind === 'QUARANTINED' && 'source' in request) await this.roots.assertReachable(request.source);
    return result;
  }

  private async computeInChild(request: ComputeRequest, { signal }: Options): Promise<ComputeResult> {
    await (this.swept ??= sweepScratchFolders(this.config.dataDir));
    const toLoad = modelToLoad(request);
    const model = toLoad === null ? null : await this.models.find(toLoad);
    signal?.throwIfAborted();
    if (this.stopped) throw new ComputeUnavailableError('The compute children are being stopped.');
    return new Promise<ComputeResult>((resolve, reject) => {
      const abort = (): void => {
        this.abandon(job);
        reject(signal!.reason as Error);
      };
      const done = (result: ComputeResult): void => {
        signal?.removeEventListener('abort', abort);
        resolve(result);
      };
      const failed = (error: Error): void => {
        signal?.removeEventListener('abort', abort);
        reject(error);
      };
      const job: ComputeJob = { id: ++this.lastId, request, model, signal, failures: 0, done, failed };
      signal?.addEventListener('abort', abort, { once: true });
      if (request.kind === 'describe-text') this.waiting.unshift(job);
      else this.waiting.push(job);
      this.dispatch();
    });
  }

  private abandon(job: ComputeJob): void {
    const at = this.waiting.indexOf(job);
    if (at >= 0) this.waiting.splice(at, 1);
    for (const worker of this.workers) worker.cancel(job);
  }

  private dispatch(): void {
    while (this.waiting.length > 0) {
      const job = this.next();
      const { request, model, signal } = job;
      const worker = request.kind === 'describe-text' ? this.nearest(request, model) : this.leastBusy(model);
      if (!worker) return;
      this.waiting.splice(this.waiting.indexOf(job), 1);
      if (signal !== undefined) this.lastTurns.set(signal, (this.turns += 1));
      worker.give(job);
    }
  }

  /** Alternates between jobs, so that a job with few files does not wait for one with many. Texts come first. */
  private next(): ComputeJob {
    const turnOf = ({ request, signal }: ComputeJob): number =>
      request.kind === 'describe-text' || signal === undefined ? 0 : (this.lastTurns.get(signal) ?? 0);
    return this.waiting.reduce((first, job) => (turnOf(job) < turnOf(first) ? job : first));
  }

  private leastBusy(model: CheckedModel | null): ComputeWorker | undefined {
    const accepting = [...this.workers].filter((worker) => worker.accepts);
    const freest = accepting.toSorted((a, b) => a.load - b.load)[0];
    if (freest?.load === 0) return freest;
    if (accepting.length < this.config.workerConcurrency) return this.startWorker(model);
    return freest !== undefined && freest.load < this.limits.filesPerChild ? freest : undefined;
  }

  /** Returns a child with the model, otherwise the least busy one. Never undefined, so that texts are assigned immediately. */
  private nearest(request: TextRequest, model: CheckedModel | null): ComputeWorker {
    const accepting = [...this.workers].filter((worker) => worker.accepts).toSorted((a, b) => a.load - b.load);
    const prepared = accepting.find((worker) => worker.hasLoaded(request.modelId));
    return prepared ?? this.leastBusy(model) ?? accepting[0]!;
  }

  private startWorker(model: CheckedModel | null): ComputeWorker {
    // Listed by name, so that a child receives no other configuration.
    const { storageUrl, s3, mediaRoots, mediaBuckets, baseUrl } = this.config;
    const config = { storageUrl, s3, mediaRoots, mediaBuckets, baseUrl };
    const { memoryBytes, largeMemoryBytes, toolMemoryBytes } = this.limits;
    const limits = { memoryBytes, largeMemoryBytes, toolMemoryBytes };
    const worker = new ComputeWorker({ type: 'start', config, scratch: this.scratch, limits }, model, this.limits, {
      onRoom: () => {
        this.failedStarts = 0;
        this.dispatch();
      },
      onLoaded: (modelId) => this.failedLoads.delete(modelId),
      onLarge: (asking, job) => void this.large.run(false, () => asking.admit(job)),
      onGone: (gone, departure) => this.replace(gone, departure),
    });
    this.workers.add(worker);
    return worker;
  }

  private replace(worker: ComputeWorker, departure: Departure): void {
    this.workers.delete(worker);
    if (this.workers.size === 0) this.models.forget();
    if (this.stopped) {
      this.failAll([...departure.atFault, ...departure.unaffected], 'The compute children are being stopped.');
      return;
    }
    const again = [...departure.atFault.filter((job) => this.survives(job, departure)), ...departure.unaffected];
    this.waiting.unshift(...again.filter((job) => job.signal?.aborted !== true));
    if (!departure.wasReady && this.cannotStart(departure.unusable)) return;
    if (departure.loading !== undefined) this.noteFailedLoad(departure.loading);
    this.dispatch();
  }

  /** Retries a file on which a child crashed or hung, up to the limit. */
  private survives(job: ComputeJob, departure: Departure): boolean {
    // A child that had not started any of its files may have been ended by the system.
    job.failures += departure.hadBegun ? 1 : 1 / departure.atFault.length;
    if (job.failures < this.limits.attempts) return true;
    job.done({ kind: 'QUARANTINED', ...this.faultOf(departure) });
    return false;
  }

  private faultOf({ timedOut, outOfMemory }: Departure): Omit<Quarantined, 'kind'> {
    const twice = this.limits.attempts > 1 ? ', twice' : '';
    if (timedOut) return { reason: 'timed_out', detail: `The analysis of the file took too long${twice}.` };
    if (!outOfMemory) return { reason: 'crashed', detail: `The analysis of the file crashed its process${twice}.` };
    const megabytes = Math.floor(this.limits.memoryBytes / 1024 ** 2);
    return {
      reason: 'too_large',
      detail: `The analysis of the file took more than ${megabytes} MiB of memory${twice}.`,
    };
  }

  private cannotStart(reason: string | undefined): boolean {
    this.failedStarts += 1;
    if (reason === undefined && this.failedStarts < MAX_FAILED_STARTS) return false;
    this.failAll(this.waiting.splice(0), `No compute child can start: ${reason ?? 'it exits before it is ready'}.`);
    return true;
  }

  private noteFailedLoad(modelId: string): void {
    const times = (this.failedLoads.get(modelId) ?? 0) + 1;
    this.failedLoads.set(modelId, times);
    if (times < MAX_FAILED_STARTS) return;
    this.failedLoads.delete(modelId);
    const isOfIt = ({ request }: ComputeJob): boolean => 'modelId' in request && request.modelId === modelId;
    const waiting = this.waiting.splice(0);
    this.waiting.push(...waiting.filter((job) => !isOfIt(job)));
    this.failAll(waiting.filter(isOfIt), `No compute child can load the model ${modelId}: it crashes while loading.`);
  }

  private failAll(jobs: readonly ComputeJob[], reason: string): void {
    for (const job of jobs) job.failed(new ComputeUnavailableError(reason));
  }
}
