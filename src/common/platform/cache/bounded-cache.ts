import { assertCallerWaits, CallerGoneError } from '../concurrency/caller-gone';

/** A value that is read on first use and then kept; after a failure it is read again. */
export class ReadOnce<T> {
  private kept: Promise<T> | undefined;

  constructor(private readonly read: () => Promise<T>) {}

  get(): Promise<T> {
    this.kept ??= this.read().catch((error: unknown) => {
      this.kept = undefined;
      throw error;
    });
    return this.kept;
  }
}

/** How much a cache is used. */
export interface CacheUsage {
  readonly hits: number;
  readonly misses: number;
  /** The total weight of the kept values. */
  readonly bytes: number;
}

interface Kept<V> {
  readonly value: V;
  readonly weight: number;
}

export interface BoundedCacheOptions {
  /**
   * Whether the value used last is kept even if it alone exceeds the limit. For values that are completely in memory during each use anyway, so that
   * evicting them would only cause another load.
   */
  readonly keepsLast?: boolean;
}

/** An LRU cache with a total weight. Concurrent requests for a missing value share one load. */
export class BoundedCache<V> {
  private readonly values = new Map<string, Kept<V>>();
  private readonly loads = new Map<string, Promise<V>>();
  private total = 0;
  private hits = 0;
  private misses = 0;

  constructor(
    private readonly limit: number,
    private readonly weightOf: (value: V) => number = () => 1,
    private readonly options: BoundedCacheOptions = {},
  ) {}

  get weight(): number {
    return this.total;
  }

  get usage(): CacheUsage {
    const { hits, misses, total: bytes } = this;
    return { hits, misses, bytes };
  }

  get(key: string): V | undefined {
    const kept = this.values.get(key);
    if (kept === undefined) {
      this.misses += 1;
      return undefined;
    }
    this.hits += 1;
    this.values.delete(key);
    this.values.set(key, kept);
    return kept.value;
  }

  /** Returns the matching value that was used last. Does not count as a use. */
  findLast(matches: (value: V) => boolean): V | undefined {
    return [...this.values.values()].findLast(({ value }) => matches(value))?.value;
  }

  set(key: string, value: V): void {
    this.delete(key);
    const weight = this.weightOf(value);
    if (weight > this.limit && this.options.keepsLast !== true) return;
    this.values.set(key, { value, weight });
    this.total += weight;
    this.evict();
  }

  delete(key: string): void {
    const kept = this.values.get(key);
    if (kept === undefined) return;
    this.values.delete(key);
    this.total -= kept.weight;
  }

  /** Updates the weight of a value that has grown. */
  weighAgain(key: string): void {
    const kept = this.values.get(key);
    if (kept !== undefined) this.set(key, kept.value);
  }

  /** A failed load is not kept, so the next caller tries again. */
  async getOrLoad(key: string, load: () => Promise<V>): Promise<V> {
    const known = this.get(key);
    if (known !== undefined) return known;
    const running = this.loads.get(key);
    if (running !== undefined) return this.shared(key, running, load);
    const started = load().then((value) => {
      this.set(key, value);
      return value;
    });
    this.loads.set(key, started);
    try {
      return await started;
    } finally {
      if (this.loads.get(key) === started) this.loads.delete(key);
    }
  }

  /** The first caller may have gone; the load continues for the others. */
  private async shared(key: string, running: Promise<V>, load: () => Promise<V>): Promise<V> {
    try {
      return await running;
    } catch (error) {
      if (!(error instanceof CallerGoneError)) throw error;
      assertCallerWaits();
      return this.getOrLoad(key, load);
    }
  }

  private evict(): void {
    for (const oldest of this.values.keys()) {
      if (this.total <= this.limit || (this.options.keepsLast === true && this.values.size === 1)) break;
      this.delete(oldest);
    }
  }
}
