/** How much a cache is used. */
export interface CacheUsage {
  readonly hits: number;
  readonly misses: number;
  /** The total weight of what it keeps. */
  readonly bytes: number;
}

/** An LRU cache with a total weight. Concurrent requests for a missing value share one load. */
export class BoundedCache<V> {
  private readonly values = new Map<string, V>();
  private readonly loads = new Map<string, Promise<V>>();
  private total = 0;
  private hits = 0;
  private misses = 0;

  constructor(
    private readonly limit: number,
    private readonly weightOf: (value: V) => number = () => 1,
  ) {}

  get weight(): number {
    return this.total;
  }

  get usage(): CacheUsage {
    const { hits, misses, total: bytes } = this;
    return { hits, misses, bytes };
  }

  get(key: string): V | undefined {
    const value = this.values.get(key);
    if (value === undefined) {
      this.misses += 1;
      return undefined;
    }
    this.hits += 1;
    this.values.delete(key);
    this.values.set(key, value);
    return value;
  }

  /** The one used last of those that match; does not count as a use. */
  findLast(matches: (value: V) => boolean): V | undefined {
    return [...this.values.values()].findLast(matches);
  }

  set(key: string, value: V): void {
    this.delete(key);
    const weight = this.weightOf(value);
    if (weight > this.limit) return;
    this.values.set(key, value);
    this.total += weight;
    for (const oldest of this.values.keys()) {
      if (this.total <= this.limit) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.values.get(key);
    if (value === undefined) return;
    this.values.delete(key);
    this.total -= this.weightOf(value);
  }

  /** A failed load is removed, so that the next caller tries again. */
  async getOrLoad(key: string, load: () => Promise<V>): Promise<V> {
    const known = this.get(key);
    if (known !== undefined) return known;
    const running = this.loads.get(key);
    if (running !== undefined) return running;
    const started = load().then((value) => {
      this.set(key, value);
      return value;
    });
    this.loads.set(key, started);
    try {
      return await started;
    } finally {
      this.loads.delete(key);
    }
  }
}
