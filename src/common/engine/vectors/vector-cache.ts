import { setTimeout } from 'node:timers/promises';
import type { CacheUsage } from '../../platform/cache/bounded-cache';
import { beforeReadingAhead } from '../../platform/concurrency/in-slices';
import type { MediaTable } from '../media-table/media-table';
import { versionName } from '../media-table/table-version';
import type { QuantisedFiles } from './quantised-files';
import { bytesOfRows } from './quantised-rows';
import { scanColumn } from './column-scan';
import type { CosineScan } from './cosine-scan';
import { ScanThreads } from './scan-threads';
import { tableVectors, VECTOR_FIELDS, type VectorColumn, type VectorSource } from './vector-source';
import { VectorMatrix } from './vector-matrix';

interface Entry {
  readonly series: string | undefined;
  /** Shared blocks count for each matrix. */
  readonly bytes: number;
  readonly matrix: Promise<VectorMatrix>;
  /** The matrix of the first rows, while the others are being loaded. */
  readonly part: LoadedPart;
  /** Starts a prefetch that waits for its turn. */
  readonly hurry: () => void;
  users: number;
}

interface LoadedPart {
  matrix: VectorMatrix | undefined;
  /** Resolves when there is a first part, or when there will be none. */
  readonly arrived: Promise<void>;
  readonly arrive: () => void;
}

/** A vector column that can be ranked by distance: a matrix in memory, or a column that is read for each scan. */
export type ScannableVectors = Pick<VectorMatrix, 'rows' | 'scan'>;

/**
 * An LRU cache of matrices with a byte limit for all datasets. A matrix in use is never evicted. A matrix above the limit is never created; its
 * column is read for each scan.
 */
export class VectorCache {
  /** In order of use, least recently used first. */
  private readonly entries = new Map<string, Entry>();
  private readonly closing = new AbortController();
  private lastLoad: Promise<unknown> = Promise.resolve();
  private lastAhead: Promise<unknown> = Promise.resolve();
  private total = 0;
  private hits = 0;
  private misses = 0;

  constructor(
    private readonly limitBytes: number,
    private readonly threads?: number,
    private readonly files?: QuantisedFiles,
  ) {}

  /** The bytes of cached and loading matrices. */
  get bytes(): number {
    return this.total;
  }

  get usage(): CacheUsage {
    const { hits, misses, total: bytes } = this;
    return { hits, misses, bytes };
  }

  /**
   * Scans may outlive `use`, because they borrow the memory that they need. After `patienceMs`, a partial matrix of the first rows is used as soon as
   * there is one; it has fewer rows than the table.
   */
  use<T>(
    table: MediaTable,
    column: VectorColumn,
    use: (vectors: ScannableVectors) => Promise<T>,
    patienceMs?: number,
  ): Promise<T> {
    return this.useSource(
      `${versionName(table.at)}/${column}`,
      tableVectors(table, column, this.files),
      use,
      patienceMs,
    );
  }

  /** Prefetches the data of a future search, if nothing must be evicted. Errors are left to that search. */
  prepare(table: MediaTable, column: VectorColumn): void {
    this.prepareSource(`${versionName(table.at)}/${column}`, tableVectors(table, column, this.files));
  }

  prepareSource(key: string, source: VectorSource): void {
    if (this.entries.has(key) || !this.holds(source)) return;
    const bytes = bytesOfRows(source.rows, source.dimension);
    const room = this.limitBytes - (this.latestOf(source.series?.name) === undefined ? this.total : 0);
    if (bytes > room) return;
    let hurry = (): void => undefined;
    const hurried = new Promise<void>((resolve) => (hurry = resolve));
    const turn = Promise.race([Promise.all([beforeReadingAhead(), this.lastLoad, this.lastAhead]), hurried]);
    this.lastAhead = this.begin(key, source, turn, hurry).matrix.catch(() => undefined);
  }

  async useSource<T>(
    key: string,
    source: VectorSource,
    use: (vectors: ScannableVectors) => Promise<T>,
    patienceMs?: number,
  ): Promise<T> {
    const known = this.entries.get(key);
    if (known === undefined) this.misses += 1;
    else this.hits += 1;
    if (!this.holds(source)) return use({ rows: source.rows, scan: (query) => this.scanUnheld(source, query) });
    const entry = known ?? this.beginNext(key, source);
    entry.hurry();
    entry.users += 1;
    this.entries.delete(key);
    this.entries.set(key, entry);
    if (patienceMs !== undefined) {
      await wholeOrPart(entry, patienceMs);
      const { matrix: part } = entry.part;
      if (part !== undefined) {
        // The load continues for callers that retry.
        void entry.matrix.catch(() => undefined).finally(() => this.leave(entry));
        return use(part);
      }
    }
    try {
      return await use(await entry.matrix);
    } finally {
      if (await isLost(entry)) this.drop(key, entry);
      this.leave(entry);
    }
  }

  /** Whether the matrix of a column fits into memory; true for a column that the table does not have. */
  holdsColumn({ rows, dimensions }: MediaTable, column: VectorColumn): boolean {
    const dimension = dimensions[VECTOR_FIELDS[column]];
    return dimension === undefined || this.holds({ rows, dimension });
  }

  has(key: string): boolean {
    return this.entries.has(key);
  }

  /** Aborts loads in progress. */
  async onModuleDestroy(): Promise<void> {
    this.closing.abort();
    await Promise.allSettled([...this.entries.values()].map(({ matrix }) => matrix));
    await this.files?.settle();
  }

  /** Called after the last request: waits until the process may exit. */
  async onApplicationShutdown(): Promise<void> {
    await ScanThreads.settle();
  }

  private holds({ rows, dimension }: Pick<VectorSource, 'rows' | 'dimension'>): boolean {
    return bytesOfRows(rows, dimension) <= this.limitBytes;
  }

  /** Queued like other loads. */
  private scanUnheld(source: VectorSource, query: Float32Array): Promise<CosineScan> {
    const options = { signal: this.closing.signal, threads: this.threads };
    const scanning = this.lastLoad.then(() => scanColumn(source, query, options));
    this.lastLoad = scanning.catch(() => undefined);
    return scanning;
  }

  /** One at a time, because each uses the disk, a thread and buffers. Loads for searches take precedence over prefetches. */
  private beginNext(key: string, source: VectorSource): Entry {
    const entry = this.begin(key, source, this.lastLoad);
    this.lastLoad = entry.matrix.catch(() => undefined);
    return entry;
  }

  private begin(key: string, source: VectorSource, turn: Promise<unknown>, hurry: () => void = () => undefined): Entry {
    const bytes = bytesOfRows(source.rows, source.dimension);
    const like = this.latestOf(source.series?.name);
    if (like !== undefined) like.users += 1;
    this.makeRoom(bytes);
    const part = noPart();
    const matrix = turn.then(() => this.load(source, part, like)).finally(part.arrive);
    const entry = { series: source.series?.name, bytes, matrix, part, hurry, users: 0 };
    this.entries.set(key, entry);
    this.total += bytes;
    entry.matrix
      .catch(() => this.drop(key, entry))
      .finally(() => {
        if (like === undefined) return;
        like.users -= 1;
        this.makeRoom();
      });
    return entry;
  }

  /** The most recently used matrix of the series. */
  private latestOf(series: string | undefined): Entry | undefined {
    if (series === undefined) return undefined;
    return [...this.entries.values()].findLast((entry) => entry.series === series);
  }

  private async load(source: VectorSource, part: LoadedPart, earlier?: Entry): Promise<VectorMatrix> {
    earlier?.hurry();
    const like = await earlier?.matrix.catch(() => undefined);
    const usable = like?.isLost === true ? undefined : like;
    const options = { signal: this.closing.signal, threads: this.threads, like: usable };
    let loaded: VectorMatrix | undefined;
    try {
      for await (const matrix of VectorMatrix.loadInParts(source, options)) {
        loaded?.close();
        loaded = matrix;
        part.matrix = matrix.rows < source.rows ? matrix : undefined;
        part.arrive();
      }
      return loaded!;
    } catch (error) {
      part.matrix = undefined;
      loaded?.close();
      throw error;
    }
  }

  private leave(entry: Entry): void {
    entry.users -= 1;
    this.makeRoom();
  }

  private makeRoom(bytes = 0): void {
    for (const [key, entry] of this.entries) {
      if (this.total + bytes <= this.limitBytes) return;
      if (entry.users === 0) this.drop(key, entry);
    }
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

function noPart(): LoadedPart {
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  return { matrix: undefined, arrived, arrive };
}

const isLost = ({ matrix }: Entry): Promise<boolean> =>
  matrix.then(
    (loaded) => loaded.isLost,
    () => false,
  );

/** Resolves when the matrix is loaded, or after some time when a part of it is. */
async function wholeOrPart({ matrix, part }: Entry, patienceMs: number): Promise<void> {
  const ended = new AbortController();
  const whole = matrix.catch(() => undefined);
  const patience = setTimeout(patienceMs, undefined, { signal: ended.signal }).catch(() => undefined);
  await Promise.race([whole, patience.then(() => part.arrived)]);
  ended.abort();
}
