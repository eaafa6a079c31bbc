import { type TableVersion, versionName } from '../../../common/engine/media-table/table-version';
import type { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { parseSource } from '../../../common/platform/storage/source-location';
import { KeyHashSet } from '../key-hash-set';
import { readMediaKeys, writeMediaKeys } from './media-keys-file';

/** Small, so that other requests run between batches. */
const BATCH_ROWS = 2048;

export interface UnreadableTable {
  readonly at: TableVersion;
  readonly error: unknown;
}

/** The objects referenced by rows of tables. Each table is read once for all sweeps. */
export class LiveMedia {
  /** Tables whose references are unknown, because they can't be read. */
  readonly unreadable: UnreadableTable[] = [];
  private readonly keys = new KeyHashSet();
  private readonly tablesRead = new Set<string>();

  constructor(
    private readonly tables: MediaTableStore,
    private readonly store: ObjectStore,
  ) {}

  has(key: string): boolean {
    return this.keys.has(key);
  }

  unread(versions: readonly TableVersion[]): TableVersion[] {
    return versions.filter((version) => !this.tablesRead.has(versionName(version)));
  }

  async read(published: readonly TableVersion[]): Promise<void> {
    for (const at of this.unread(published)) {
      this.keys.addAll((await readMediaKeys(this.store, at)) ?? (await this.readTable(at, published)));
      this.tablesRead.add(versionName(at));
    }
  }

  private async readTable(at: TableVersion, published: readonly TableVersion[]): Promise<KeyHashSet> {
    const keys = new KeyHashSet();
    try {
      const table = await this.tables.open(at);
      for await (const rows of table.readRows(['thumbnailKey', 'source'], { batchRows: BATCH_ROWS })) {
        for (const { thumbnailKey, source } of rows) {
          if (thumbnailKey !== null) keys.add(thumbnailKey);
          const location = source.startsWith('store:') ? parseSource(source) : undefined;
          if (location?.kind === 'store') keys.add(location.key);
        }
      }
    } catch (error) {
      this.unreadable.push({ at, error });
      return keys;
    }
    // A failure is harmless: the file only saves the next sweep from reading the table, and a full store needs this sweep.
    await writeMediaKeys(this.store, at, keys, published).catch(() => undefined);
    return keys;
  }
}
