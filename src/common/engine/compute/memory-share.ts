import { Worker } from 'node:worker_threads';
import { childEntry } from '../../platform/config/child-process';

const MEGABYTE = 1024 * 1024;
const MAX_TOOLS = 4;

/** The indexes of the values shared with the watching thread. */
export const LIMIT = 0;
export const TOOL_LIMIT = 1;
export const TOOLS = 2;

export interface WatchedChild {
  readonly parent: number;
  /** The limits of this process and of each tool in MB, 0 for none, and the process ids of tools. */
  readonly numbers: Int32Array;
}

/** The memory limits of a compute child, not including its models. */
export interface MemoryLimits {
  readonly memoryBytes: number;
  /** The limit while it decodes a large image, which only one child does at a time. */
  readonly largeMemoryBytes: number;
  /** The limit of ffmpeg or ffprobe. */
  readonly toolMemoryBytes: number;
}

const numbers = new Int32Array(new SharedArrayBuffer((TOOLS + MAX_TOOLS) * Int32Array.BYTES_PER_ELEMENT));

/** Ends this process group when it exceeds its limit or when the parent has ended, even if the main thread is blocked. */
export class MemoryShare {
  private modelBytes = 0;
  private isLoading = false;
  private isLarge = false;
  private limits: MemoryLimits | undefined;

  constructor() {
    const { file, execArgv } = childEntry(__dirname, 'limits-watch.thread');
    const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };
    const workerData: WatchedChild = { parent: process.ppid, numbers };
    new Worker(file, { execArgv, workerData, resourceLimits }).unref();
  }

  limitTo(limits: MemoryLimits): void {
    this.limits = limits;
    Atomics.store(numbers, TOOL_LIMIT, Math.ceil(limits.toolMemoryBytes / MEGABYTE));
    this.update();
  }

  /** Models do not count, because the administrator chose them. */
  loading(isLoading: boolean): void {
    this.isLoading = isLoading;
    this.modelBytes += (isLoading ? -1 : 1) * process.memoryUsage.rss();
    this.update();
  }

  large(isLarge: boolean): void {
    this.isLarge = isLarge;
    this.update();
  }

  private update(): void {
    if (this.limits === undefined) return;
    const bytes = this.isLarge ? this.limits.largeMemoryBytes : this.limits.memoryBytes;
    Atomics.store(numbers, LIMIT, this.isLoading ? 0 : Math.ceil((bytes + Math.max(0, this.modelBytes)) / MEGABYTE));
  }
}

/** Watches the memory of another process until `work` is finished. */
export async function watchTool<T>(pid: number | undefined, work: Promise<T>): Promise<T> {
  const at = numbers.indexOf(0, TOOLS);
  if (at >= 0) Atomics.store(numbers, at, pid ?? 0);
  try {
    return await work;
  } finally {
    if (at >= 0) Atomics.store(numbers, at, 0);
  }
}

/** The limit of tools in MB. */
export const toolLimit = (): number => Atomics.load(numbers, TOOL_LIMIT);
