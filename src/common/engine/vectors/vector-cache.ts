import type { CacheUsage } from '../../platform/cache/bounded-cache';
import type { MediaTable } from '../media-table/media-table';
import { versionName } from '../media-table/table-version';
import { bytesOfRows } from './quantised-rows';
import { tableVectors, type VectorColumn } from './table-vectors';
import { VectorMatrix } from './vector-matrix';
import type { VectorSource } from './vector-source';

interface Entry {
  readonly bytes: number;
  readonly matrix: Promise<VectorMatrix>;
  users: number;
}

/**
 * An LRU cache of matrices with a byte limit shared by all datasets. A matrix in use is never evicted; one larger than the limit is dropped
 * after use.
 */
export class VectorCache {
  /** The least recently used one is first. */
  private readonly entries = new Map<string, Entry>();
  private readonly closing = new AbortController();
  private lastLoad: Promise<unknown> = Promise.resolve();
  private total = 0;
  private hits = 0;
  private misses = 0;

  constructor(
    private readonly limitBytes: number,
    private readonly threads?: number,
  ) {}

  /** The bytes of cached and loading matrices. */
  get bytes(): number {
    return this.total;
  }

  get usage(): CacheUsage {
    const { hits, misses, total: bytes } = this;
    return { hits, misses, bytes };
  }

  /** Scans may outlive `use`, because they borrow the memory that they need. */
  use<T>(table: MediaTable, column: VectorColumn, use: (matrix: VectorMatrix) => Promise<T>): Promise<T> {
    return this.useSource(`${versionName(table.at)}/${column}`, tableVectors(table, column), use);
  }

  async useSource<T>(key: string, source: VectorSource, use: (matrix: VectorMatrix) => Promise<T>): Promise<T> {
    const known = this.entries.get(key);
    if (known === undefined) this.misses += 1;
    else this.hits += 1;
    const entry = known ?? this.begin(key, source);
    entry.users += 1;
    this.entries.delete(key);
    this.entries.set(key, entry);
    try {
      return await use(await entry.matrix);
    } finally {
      entry.users -= 1;
      await this.dropIfLost(key, entry);
      this.makeRoom();
    }
  }

  has(key: string): boolean {
    return this.entries.has(key);
  }

  /** Aborts loads in progress. */
  onModuleDestroy(): void {
    this.closing.abort();
  }

  private begin(key: string, source: VectorSource): Entry {
    const bytes = bytesOfRows(source.rows, source.dimension);
    this.makeRoom(bytes);
    const entry = { bytes, matrix: this.load(source), users: 0 };
    this.entries.set(key, entry);
    this.total += bytes;
    entry.matrix.catch(() => this.drop(key, entry));
    return entry;
  }

  /** One at a time: each uses the disk, a thread and buffers. */
  private load(source: VectorSource): Promise<VectorMatrix> {
    const { signal } = this.closing;
    const loaded = this.lastLoad.then(() => VectorMatrix.load(source, { signal, threads: this.threads }));
    this.lastLoad = loaded.catch(() => undefined);
    return loaded;
  }

  private makeRoom(bytes = 0): void {
    for (const [key, entry] of this.entries) {
      if (this.total + bytes <= this.limitBytes) return;
      if (entry.users === 0) this.drop(key, entry);
    }
  }

  private async dropIfLost(key: string, entry: Entry): Promise<void> {
    const matrix = await entry.matrix.catch(() => undefined);
    if (matrix?.isLost === true) this.drop(key, entry);
  }

  private drop(key: string, entry: Entry): void {
    if (this.entries.get(key) !== entry) return;
    this.entries.delete(key);
    this.total -= entry.bytes;
    entry.matrix.then(
      (matrix) => matrix.close(),
      () => undefined,
    );
  }
}
