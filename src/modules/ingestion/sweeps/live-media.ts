import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { type TableVersion, versionName } from '../../../common/engine/media-table/table-version';
import type { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { type ObjectStore, ObjectNotFoundError } from '../../../common/platform/storage/object-store';
import { parseSource } from '../../../common/platform/storage/sources/source-location';
import { type ChunkJournalRepository, type KeptChunks, readChunk, workPrefix } from '../../tables';
import { KeyHashSet } from '../../../common/platform/text/key-hash-set';

const folderOf = (generation: string): string => `keys/${generation}/`;
const keyOf = ({ generation, version }: TableVersion): string => `${folderOf(generation)}${version}.bin`;

/** The keys that a version references, as saved by an earlier sweep; undefined if missing or damaged. */
const readMediaKeys = (store: ObjectStore, at: TableVersion): Promise<KeyHashSet | undefined> =>
  readKeys(store, keyOf(at));

/** Ignores a missing file. */
export const dropMediaKeys = (store: ObjectStore, generation: string): Promise<void> =>
  store.deletePrefix(folderOf(generation));

/** It is deleted with the other work of the task. */
const keyOfChunks = ({ taskId, digest }: KeptChunks): string => `${workPrefix(taskId)}media-keys-${digest}.bin`;

const readChunkMediaKeys = (store: ObjectStore, chunks: KeptChunks): Promise<KeyHashSet | undefined> =>
  readKeys(store, keyOfChunks(chunks));

const writeChunkMediaKeys = (store: ObjectStore, chunks: KeptChunks, keys: KeyHashSet): Promise<unknown> =>
  store.put(keyOfChunks(chunks), keys.toBytes());

/** A millisecond or two: requests run between batches. */
const BATCH_ROWS = 512;

export interface UnreadableTable {
  readonly at: TableVersion;
  readonly error: unknown;
}

/** The keys of the store that a row names. */
export function* mediaKeysOf({ thumbnailKey, source }: Pick<MediaRow, 'thumbnailKey' | 'source'>): Generator<string> {
  if (thumbnailKey !== null) yield thumbnailKey;
  const location = source.startsWith('store:') ? parseSource(source) : undefined;
  if (location?.kind === 'store') yield location.key;
}

/** The objects referenced by rows of tables, and of chunks that a retry may keep. Each is read once for all sweeps. */
export class LiveMedia {
  /** Tables whose references are unknown, because they can't be read. */
  readonly unreadable: UnreadableTable[] = [];
  private readonly keys = new KeyHashSet();
  private readonly tablesRead = new Set<string>();
  private readonly chunksRead = new Set<string>();

  constructor(
    private readonly tables: MediaTableStore,
    private readonly store: ObjectStore,
    private readonly journal: ChunkJournalRepository,
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
        for (const row of rows) for (const key of mediaKeysOf(row)) keys.add(key);
      }
    } catch (error) {
      this.unreadable.push({ at, error });
      return keys;
    }
    // A failure is harmless: the file only saves the next sweep from reading the table, and a full store needs this sweep.
    await writeMediaKeys(this.store, at, keys, published).catch(() => undefined);
    return keys;
  }

  unreadChunks(kept: readonly KeptChunks[]): KeptChunks[] {
    return kept.filter(({ digest }) => !this.chunksRead.has(digest));
  }

  /** Reads the current chunks of tasks, which may differ from those read before. */
  async readChunks(kept: readonly KeptChunks[]): Promise<void> {
    for (const { taskId } of this.unreadChunks(kept)) {
      const { digest, storeKeys } = await this.journal.keptOf(taskId);
      const chunks = { taskId, digest };
      this.keys.addAll((await readChunkMediaKeys(this.store, chunks)) ?? (await this.readEachChunk(chunks, storeKeys)));
      this.chunksRead.add(digest);
    }
  }

  private async readEachChunk(chunks: KeptChunks, storeKeys: readonly string[]): Promise<KeyHashSet> {
    const keys = new KeyHashSet();
    for (const storeKey of storeKeys)
      for (const row of (await readChunk(this.store, storeKey)) ?? [])
        for (const key of mediaKeysOf(row)) keys.add(key);
    await writeChunkMediaKeys(this.store, chunks, keys).catch(() => undefined);
    return keys;
  }
}

async function readKeys(store: ObjectStore, key: string): Promise<KeyHashSet | undefined> {
  try {
    return KeyHashSet.fromBytes(await store.read(key));
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return undefined;
    throw error;
  }
}

/** Also deletes the files of versions of the generation that nothing points to any more. */
async function writeMediaKeys(
  store: ObjectStore,
  at: TableVersion,
  keys: KeyHashSet,
  published: readonly TableVersion[],
): Promise<void> {
  await store.put(keyOf(at), keys.toBytes());
  const kept = new Set(published.map(keyOf));
  const { objects } = await store.list(folderOf(at.generation));
  await store.delete(objects.flatMap(({ key }) => (kept.has(key) ? [] : [key])));
}
