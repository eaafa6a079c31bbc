import type { Client } from 'pg';
import type { Configuration } from '../../common/platform/config/configuration';
import { StartError } from '../../common/platform/config/configuration-error';
import { SERVICE_VERSION } from '../../common/platform/config/version';
import { inSnapshot, type Snapshot } from '../../common/platform/database/table-dump';
import { connectClient, hasDatabase, reachDatabase } from '../../common/platform/database/reach-database';
import { StoreHold } from '../../common/platform/database/store-hold';
import { readStoreMark } from '../../common/platform/installation/store-identity';
import { createStorage } from '../../common/platform/storage/create-storage';
import type { ObjectStore } from '../../common/platform/storage/object-store';
import { KeyHashSet } from '../../common/platform/text/key-hash-set';
import { readReferences, type References, versionKeys } from '../persistence/references';
import { backupPlace } from './backup-place';
import { CopyJournal, isOfJournal, readJournals } from './copy-journal';
import { ObjectCopier, type Copied, type CopyCounts } from './copy-objects';
import {
  removeOld,
  folderOf,
  listBackups,
  newBackupId,
  readManifest,
  removeFiles,
  writeManifest,
  type CopiedObject,
  type Manifest,
} from './manifest';
import { readLines, writeLines } from './line-file';

export interface BackupOptions {
  readonly configuration: Configuration;
  /** A folder, or s3://bucket/prefix. */
  readonly place: string;
  /** The number of backups to keep; all if undefined. */
  readonly keep?: number | undefined;
  readonly print: (line: string) => void;
}

export interface MadeBackup extends CopyCounts {
  readonly id: string;
  readonly rows: number;
  /** The objects that the database refers to but the store lacks. */
  readonly missing: readonly string[];
  readonly removed: readonly string[];
}

interface Dumped extends Pick<Manifest, 'migrations' | 'tables' | 'sequences' | 'installation' | 'secretKeyDigest'> {
  readonly references: References;
}

/** Copies a snapshot of the database, then the objects that it refers to. The service may run meanwhile. */
export async function makeBackup(options: BackupOptions): Promise<MadeBackup> {
  const { configuration } = options;
  if (!hasDatabase(configuration))
    throw new StartError(`There is no database in ${configuration.dataDir}: set DATA_DIR or DATABASE_URL.`);
  const target = backupPlace(options.place, configuration);
  await target.check();
  const database = await reachDatabase(configuration);
  try {
    const [holder, reader] = [
      await connectClient(database.url, 'dataset-media-service backup (hold)'),
      await connectClient(database.url, 'dataset-media-service backup'),
    ];
    try {
      const hold = await StoreHold.take(holder, () => options.print('Waiting for sweeps or another backup to end …'));
      const made = await copyAll(options, target, reader, hold);
      await hold.release();
      return made;
    } finally {
      for (const client of [holder, reader]) await client.end().catch(() => undefined);
    }
  } finally {
    await database.close();
  }
}

async function copyAll(
  { configuration, place, keep, print }: BackupOptions,
  target: ObjectStore,
  reader: Client,
  hold: StoreHold,
): Promise<MadeBackup> {
  const { store } = createStorage(configuration);
  const earlier = await listBackups(target);
  const [started, last] = [new Date(), earlier.at(-1)];
  if (last !== undefined) await assertOwnPlace(reader, place, await readManifest(target, last));
  await removeFiles(target, (key, backup) => !earlier.includes(backup) && !isOfJournal(key));
  const id = newBackupId(started);
  const dumped = await inSnapshot(reader, (snapshot) => dump(snapshot, target, id));
  if (dumped === undefined) throw new StartError('The database is empty: there is nothing to back up.');
  await assertOwnStore(store, configuration.storageUrl, dumped.installation);
  const rows = dumped.tables.reduce((sum, table) => sum + table.rows.lines, 0);
  print(`The database is copied: ${dumped.tables.length} tables, ${rows} rows.`);
  const copier = new ObjectCopier(store, target);
  const copied = new KeyHashSet();
  const journal = new CopyJournal(target, id, dumped.installation);
  const copies = copier.copyAll({
    complete: last === undefined ? none() : objectsIn(target, await readManifest(target, last)),
    cutOff: await readJournals(target, dumped.installation, print),
  });
  const objects = await writeLines(
    target,
    `${folderOf(id)}objects.ndjson.gz`,
    listing(copies, async ({ object, isInBackup }) => {
      copied.add(object.key);
      if (!isInBackup) await journal.add(object);
    }),
  );
  const { references, ...described } = dumped;
  const missing = await missingFrom(copied, references, target, dumped.tables);
  await hold.assertHeld();
  await writeManifest(target, {
    format: 1,
    id,
    startedAt: started.toISOString(),
    finishedAt: new Date().toISOString(),
    version: SERVICE_VERSION,
    ...described,
    objects: { ...objects, bytes: copier.counts.bytes },
  });
  await removeFiles(target, (key, backup) => isOfJournal(key) || ![...earlier, id].includes(backup));
  const removed = keep === undefined ? [] : await removeOld(target, keep);
  return { id, rows, missing, removed, ...copier.counts };
}

async function dump(snapshot: Snapshot, target: ObjectStore, id: string): Promise<Dumped> {
  const tables: Manifest['tables'] = [];
  for (const table of snapshot.tables) {
    const file = `${folderOf(id)}tables/${table.name}.ndjson.gz`;
    tables.push({ ...table, columns: [...table.columns], rows: await writeLines(target, file, snapshot.rows(table)) });
  }
  const [installation] = await snapshot.query<{ id: string; digest: string | null }>(
    'SELECT id, secret_key_digest AS digest FROM installation',
  );
  if (installation === undefined) throw new StartError('The service has never been started on this database.');
  return {
    migrations: [...snapshot.migrations],
    tables,
    sequences: [...snapshot.sequences],
    installation: installation.id,
    secretKeyDigest: installation.digest,
    references: await readReferences(snapshot.query),
  };
}

/** `keep` would remove backups of another installation, and so would the cleanup of unfinished backups. */
async function assertOwnPlace(reader: Client, place: string, { installation }: Manifest): Promise<void> {
  const { rows } = await reader.query<{ id: string }>('SELECT id FROM installation');
  if (rows[0]?.id === installation) return;
  throw new StartError(`${place} contains backups of another installation (${installation}): choose another place.`);
}

async function assertOwnStore(store: ObjectStore, storageUrl: string, installation: string): Promise<void> {
  if ((await readStoreMark(store)) === installation) return;
  throw new StartError(
    `The store ${storageUrl} does not belong to this database (${installation}): correct STORAGE_URL or DATABASE_URL.`,
  );
}

async function* listing(copies: AsyncIterable<Copied>, taken: (copy: Copied) => Promise<void>) {
  for await (const copy of copies) {
    await taken(copy);
    yield JSON.stringify(copy.object);
  }
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* none(): AsyncGenerator<CopiedObject> {
  yield* [];
}

export async function* objectsIn(target: ObjectStore, { objects }: Manifest): AsyncGenerator<CopiedObject> {
  for await (const line of readLines(target, objects)) yield JSON.parse(line) as CopiedObject;
}

/** Lists the objects that the dumped database refers to but the store lacks. Reads the list of uploads from the dump. */
async function missingFrom(
  copied: KeyHashSet,
  { versions, tagFiles, annotationFiles, evaluationFiles, archives }: References,
  target: ObjectStore,
  tables: Manifest['tables'],
): Promise<string[]> {
  const missing = [...tagFiles, ...annotationFiles, ...evaluationFiles, ...archives].filter((key) => !copied.has(key));
  for (const version of versions) {
    if (!versionKeys(version).some((key) => copied.has(key)))
      missing.push(`tables/${version.generation}.lance at version ${version.version}, of ${version.dataset}`);
  }
  const uploads = tables.find(({ name }) => name === 'upload_file');
  const column = uploads?.columns.indexOf('store_key') ?? -1;
  if (uploads === undefined || column < 0) return missing;
  for await (const line of readLines(target, uploads.rows)) {
    const key = (JSON.parse(line) as string[])[column]!;
    if (!copied.has(key)) missing.push(key);
  }
  return missing;
}
