import { sharedUint8 } from '../../arithmetic/shared-arrays';
import type { ThreadPool } from '../threads/thread-pool';
import type { SearchedVectors } from '../vectors/vector-rows';
import type { LoadedRows } from './filed-rows';

const UNIT = 1024;

/** Rows in the form in which they are scanned: quantised to bytes. */
export class EncodedRows {
  private encoded = sharedUint8(0);
  private latest: { readonly of: LoadedRows; readonly source: SearchedVectors } | undefined;

  constructor(private readonly pool: ThreadPool) {}

  /** Valid until the next call. */
  async of(loaded: LoadedRows): Promise<SearchedVectors> {
    if (this.latest?.of === loaded) return this.latest.source;
    const { table, count } = loaded;
    if (this.encoded.length < count * table.dimension) this.encoded = sharedUint8(count * table.dimension);
    const source: SearchedVectors = { precision: 'byte', count, table: table.handle, encoded: this.encoded };
    await this.pool.run({ kind: 'encodeRows', source }, count, UNIT);
    this.latest = { of: loaded, source };
    return source;
  }
}
