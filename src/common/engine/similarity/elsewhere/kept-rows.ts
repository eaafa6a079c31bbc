import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Turns } from '../../../platform/concurrency/turns';
import type { ObjectStore } from '../../../platform/storage/object-store';
import { UnfinishedFiles } from '../../../platform/storage/folder/unfinished-files';
import type { OrderedShape } from './stored-layout';
import { StoredRows } from './stored-rows';

/** Above this size, the fetched files are removed before the next step, which fetches what it needs. */
const MOST_BYTES = 16 * 2 ** 30;

export interface KeptRowsOptions {
  readonly store: ObjectStore;
  /** The parent of the folder for scratch files. */
  readonly dataDir: string;
  readonly threads: number;
}

interface Kept {
  readonly prefix: string;
  readonly folder: string;
  readonly rows: StoredRows;
}

/**
 * Caches what the last step fetched, since the next one mostly needs the same. Steps run one at a time: a step of a finished job may still be running
 * when the next job starts, which needs other rows.
 */
export class KeptRows {
  private readonly turns = new Turns(1);
  private kept: Kept | undefined;

  constructor(private readonly options: KeptRowsOptions) {}

  use<T>(prefix: string, shape: OrderedShape, work: (rows: StoredRows) => Promise<T>): Promise<T> {
    return this.turns.run(false, () => this.useAlone(prefix, shape, work));
  }

  async close(): Promise<void> {
    const { kept } = this;
    this.kept = undefined;
    if (kept === undefined) return;
    await kept.rows.close();
    await rm(kept.folder, { recursive: true, force: true });
  }

  private async useAlone<T>(prefix: string, shape: OrderedShape, work: (rows: StoredRows) => Promise<T>): Promise<T> {
    if (this.kept !== undefined && (this.kept.prefix !== prefix || this.kept.rows.bytes > MOST_BYTES))
      await this.close();
    const { rows } = (this.kept ??= await this.open(prefix, shape));
    try {
      return await work(rows);
    } catch (error) {
      // The error may have ended the threads of these rows, so they are not reused.
      await this.close();
      throw error;
    }
  }

  private async open(prefix: string, shape: OrderedShape): Promise<Kept> {
    const { store, dataDir, threads } = this.options;
    const spools = new UnfinishedFiles(join(dataDir, 'spool'));
    // A killed process may have left files as large as its vectors.
    await spools.sweep();
    const folder = spools.newPath();
    await mkdir(folder, { recursive: true });
    try {
      return { prefix, folder, rows: await StoredRows.open(store, prefix, shape, { folder, threads }) };
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }
}
