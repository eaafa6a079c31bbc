import { MediaTableStore } from '../../../common/media-table/media-table-store';
import type { TableVersion } from '../../../common/media-table/media-table';
import { parseSource } from '../../../common/storage/source-location';
import { KeyHashSet } from './key-hash-set';

/** Small, for other requests get their turn between batches. */
const BATCH_ROWS = 2048;

const nameOf = ({ generation, version }: TableVersion): string => `${generation}@${version}`;

/** The objects that rows of tables name, read table by table. */
export class LiveMedia {
  private readonly keys = new KeyHashSet();
  private readonly tablesRead = new Set<string>();

  constructor(private readonly tables: MediaTableStore) {}

  has(key: string): boolean {
    return this.keys.has(key);
  }

  unread(versions: readonly TableVersion[]): TableVersion[] {
    return versions.filter((version) => !this.tablesRead.has(nameOf(version)));
  }

  /** Throws when a table can't be read: then nobody knows what is alive. */
  async read(versions: readonly TableVersion[]): Promise<void> {
    for (const version of this.unread(versions)) {
      const table = await this.tables.open(version);
      for await (const rows of table.readRows(['thumbnailKey', 'source'], { batchRows: BATCH_ROWS })) {
        for (const { thumbnailKey, source } of rows) {
          if (thumbnailKey !== null) this.keys.add(thumbnailKey);
          const location = source.startsWith('store:') ? parseSource(source) : undefined;
          if (location?.kind === 'store') this.keys.add(location.key);
        }
      }
      this.tablesRead.add(nameOf(version));
    }
  }
}
