import { join } from 'node:path';
import pMap from 'p-map';
import type { Client } from 'pg';
import type { Configuration } from '../../common/platform/config/configuration';
import { secretKeyDigest } from '../../common/platform/config/secret-key';
import { StartError } from '../../common/platform/config/configuration-error';
import type { SchemaParts } from '../../common/platform/database/data-source';
import { DataFolderLock } from '../../common/platform/database/data-folder-lock';
import { loadTables, listMigrations, type DumpedTable } from '../../common/platform/database/table-dump';
import { openDatabase } from '../../common/platform/database/open-database';
import { connectClient } from '../../common/platform/database/reach-database';
import { createStorage } from '../../common/platform/storage/create-storage';
import { ObjectNotFoundError, type ObjectStore, everyObject } from '../../common/platform/storage/object-store';
import { isOwnKey } from '../../modules/ingestion';
import { backupPlace } from './backup-place';
import { DamagedBackupError, Digest, digestOf, readLines } from './line-file';
import { objectsIn } from './make-backup';
import { listBackups, readManifest, type CopiedObject, type Manifest } from './manifest';

/** Marks a store while a backup is restored into it, so that an interrupted restore can continue. */
const KEY = '.restore.json';

const clearRestoreMark = (store: ObjectStore): Promise<void> => store.delete([KEY]);

export interface RestoreOptions {
  readonly configuration: Configuration;
  readonly schema: SchemaParts;
  /** A folder, or s3://bucket/prefix. */
  readonly place: string;
  /** The id of the backup; the latest one if undefined. */
  readonly backup?: string | undefined;
  readonly print: (line: string) => void;
}

export interface Restored {
  readonly id: string;
  readonly objects: number;
  readonly bytes: number;
  readonly rows: number;
}

const AT_ONCE = 8;
const BATCH = 500;

/** Writes a backup into an empty installation: first the objects, then the database in one transaction. If it is interrupted, run it again. */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { configuration, place } = options;
  const target = backupPlace(place, configuration);
  const id = options.backup ?? (await listBackups(target)).at(-1);
  if (id === undefined) throw new StartError(`There is no complete backup in ${place}.`);
  const manifest = await readManifest(target, id);
  assertKey(configuration, manifest);
  const lock = DataFolderLock.take(configuration.dataDir);
  try {
    return await inDatabase(options, manifest, async (client) => {
      const { store } = createStorage(configuration);
      await store.check();
      await assertEmptyStore(store, configuration.storageUrl, manifest.id);
      await writeRestoreMark(store, manifest.id);
      const copied = await copyObjects(target, store, manifest);
      options.print(`The store is restored: ${copied.objects} objects, ${copied.bytes} bytes, checksums equal.`);
      const { tables, sequences } = manifest;
      const lines = ({ name }: DumpedTable) => readLines(target, tables.find((table) => table.name === name)!.rows);
      const rows = await loadTables(client, { tables, sequences, lines });
      await clearRestoreMark(store);
      return { id, rows, ...copied };
    });
  } finally {
    lock.release();
  }
}

function assertKey({ secretKey }: Configuration, manifest: Manifest): void {
  if (manifest.secretKeyDigest === null || manifest.secretKeyDigest === secretKeyDigest(secretKey)) return;
  throw new StartError(
    'SECRET_KEY is not the key of the installation in the backup, which does not contain it: set SECRET_KEY to that key, or put its secret.key into DATA_DIR, and run it again.',
  );
}

/** Opens an empty database with the schema of the backup; later migrations run at the first start. */
async function inDatabase<T>(
  { configuration, schema }: RestoreOptions,
  manifest: Manifest,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { databaseUrl, databaseDirectUrl, dataDir } = configuration;
  const known = new Set(schema.migrations.map(({ name }) => name));
  const unknown = manifest.migrations.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new StartError(
      `The backup was made by a newer version of this service (${manifest.version}; ${unknown.join(', ')}): restore it with that version.`,
    );
  const url = databaseDirectUrl ?? databaseUrl;
  const dataSource = await openDatabase({
    ...schema,
    migrations: schema.migrations.filter(({ name }) => manifest.migrations.includes(name)),
    database: url === null ? { embedded: { folder: join(dataDir, 'postgres') } } : { url },
    applicationName: 'dataset-media-service restore',
    poolSize: 2,
  });
  try {
    const client = await connectClient((dataSource.options as { url: string }).url, 'dataset-media-service restore');
    try {
      await assertEmptyDatabase(client, manifest);
      return await work(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  } finally {
    await dataSource.destroy();
  }
}

async function assertEmptyDatabase(client: Client, manifest: Manifest): Promise<void> {
  const migrations = (await listMigrations(client)) ?? [];
  const { rowCount } = await client.query('SELECT 1 FROM installation');
  if (rowCount !== 0)
    throw new StartError('The database contains an installation already: a backup is restored into an empty database.');
  const other = migrations.filter((name) => !manifest.migrations.includes(name));
  if (other.length > 0)
    throw new StartError(
      `The database has a schema that is newer than that of the backup (${other.join(', ')}): restore it into an empty database.`,
    );
}

async function assertEmptyStore(store: ObjectStore, storageUrl: string, id: string): Promise<void> {
  const begun = await readRestoreMark(store);
  if (begun === id) return;
  if (begun !== undefined)
    throw new StartError(
      `The store ${storageUrl} contains part of the backup ${begun}, whose restore was cut off: restore that one, or empty the store.`,
    );
  for await (const { key } of everyObject(store, '')) {
    if (isOwnKey(key))
      throw new StartError(`The store ${storageUrl} is not empty (${key}): a backup is restored into an empty store.`);
  }
}

async function copyObjects(
  target: ObjectStore,
  store: ObjectStore,
  manifest: Manifest,
): Promise<{ objects: number; bytes: number }> {
  let [objects, bytes]: [number, number] = [0, 0];
  const damaged: string[] = [];
  const restore = async (object: CopiedObject): Promise<void> => {
    if (!(await restoreObject(target, store, object))) damaged.push(object.key);
    objects += 1;
    bytes += object.size;
  };
  let batch: CopiedObject[] = [];
  for await (const object of objectsIn(target, manifest)) {
    batch.push(object);
    if (batch.length < BATCH) continue;
    await pMap(batch, restore, { concurrency: AT_ONCE });
    batch = [];
  }
  await pMap(batch, restore, { concurrency: AT_ONCE });
  if (damaged.length > 0)
    throw new DamagedBackupError(
      `${damaged.length} objects`,
      `missing or with another checksum: ${damaged.slice(0, 20).join(', ')}`,
    );
  return { objects, bytes };
}

/** False if the copy is missing or damaged. Objects that an earlier run restored are compared, not written again. */
async function restoreObject(target: ObjectStore, store: ObjectStore, object: CopiedObject): Promise<boolean> {
  const { key, size, sha256, copy } = object;
  if ((await store.head(key))?.size === size && (await digestOf(await store.get(key))).sha256 === sha256) return true;
  const digest = new Digest();
  try {
    const source = await target.get(copy);
    source.on('error', (error) => digest.destroy(error));
    await store.put(key, source.pipe(digest));
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return false;
    throw error;
  }
  if (digest.result().sha256 === sha256) return true;
  await store.delete([key]);
  return false;
}

/** The id of the backup that is being restored. */
async function readRestoreMark(store: ObjectStore): Promise<string | undefined> {
  try {
    return (JSON.parse((await store.read(KEY)).toString('utf8')) as { backup: string }).backup;
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return undefined;
    throw error;
  }
}

async function writeRestoreMark(store: ObjectStore, backup: string): Promise<void> {
  await store.put(KEY, Buffer.from(`${JSON.stringify({ backup })}\n`));
}
