import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { everyObject, ObjectNotFoundError, type ObjectStore } from '../../common/platform/storage/object-store';
import { StartError } from '../../common/platform/config/configuration-error';
import { DamagedBackupError, readLines } from './line-file';
import { KeyHashSet } from '../../common/platform/text/key-hash-set';

const AT_ONCE = 1000;

export const BACKUPS = 'backups/';
const ID = /^backups\/(\d{8}T\d{9}Z-[0-9a-f]{4})\/manifest\.json$/;

const lineFile = z.object({
  file: z.string(),
  lines: z.number().int().min(0),
  size: z.number().int().min(0),
  sha256: z.string(),
});

const manifestSchema = z.object({
  format: z.literal(1),
  id: z.string(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  /** The version of the program that made the backup. */
  version: z.string(),
  installation: z.uuid(),
  secretKeyDigest: z.string().nullable(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: lineFile })),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  objects: lineFile.extend({ bytes: z.number().int().min(0) }),
});

/** The complete description of a backup; written last, so a backup without it is incomplete. */
export type Manifest = z.infer<typeof manifestSchema>;

/** An object of the store in a backup. */
export interface CopiedObject {
  readonly key: string;
  readonly etag: string;
  readonly size: number;
  readonly sha256: string;
  /** The key of its copy in the backup. */
  readonly copy: string;
}

export const folderOf = (id: string): string => `${BACKUPS}${id}/`;
const manifestKey = (id: string): string => `${folderOf(id)}manifest.json`;

/** Ids contain the time with milliseconds, so that they sort by time. */
export const newBackupId = (now: Date): string =>
  `${now.toISOString().replaceAll(/[-:.]/g, '')}-${randomBytes(2).toString('hex')}`;

export const COPIES = 'objects/';

/** The same for an unchanged object in every backup. */
export function copyKey(key: string, size: number, etag: string): string {
  const name = createHash('sha256').update(`${key}\n${size}\n${etag}`).digest('hex');
  return `${COPIES}${name.slice(0, 2)}/${name}`;
}

/** The ids of the complete backups, oldest first. */
export async function listBackups(target: ObjectStore): Promise<string[]> {
  const ids: string[] = [];
  for await (const { key } of everyObject(target, BACKUPS)) {
    const id = ID.exec(key)?.[1];
    if (id !== undefined) ids.push(id);
  }
  return ids.sort();
}

export async function readManifest(target: ObjectStore, id: string): Promise<Manifest> {
  const key = manifestKey(id);
  try {
    return manifestSchema.parse(JSON.parse((await target.read(key)).toString('utf8')));
  } catch (cause) {
    if (cause instanceof ObjectNotFoundError) throw new StartError(`There is no complete backup ${id}.`);
    if (cause instanceof SyntaxError || cause instanceof z.ZodError)
      throw new DamagedBackupError(key, 'this version cannot read it', { cause });
    throw cause;
  }
}

export async function writeManifest(target: ObjectStore, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  await target.put(manifestKey(manifest.id), Buffer.from(text), { ifAbsent: true });
}

/** Removes the manifest first, so that an interrupted removal leaves no backup that looks complete but lacks files. */
export async function removeBackup(target: ObjectStore, id: string): Promise<void> {
  await target.delete([manifestKey(id)]);
  await target.deletePrefix(folderOf(id));
}

/** Removes the files of backups for which `isDead` holds. */
export async function removeFiles(
  target: ObjectStore,
  isDead: (key: string, backup: string) => boolean,
): Promise<void> {
  const dead: string[] = [];
  for await (const { key } of everyObject(target, BACKUPS)) if (isDead(key, key.split('/')[1] ?? '')) dead.push(key);
  await target.delete(dead);
}

/** Removes all but the latest backups, and the copies that none of the remaining backups refers to. Returns the ids of the removed backups. */
export async function removeOld(target: ObjectStore, keep: number): Promise<string[]> {
  const all = await listBackups(target);
  const old = all.slice(0, -keep);
  for (const id of old) await removeBackup(target, id);
  const live = new KeyHashSet();
  for (const id of all.slice(-keep)) {
    const { objects } = await readManifest(target, id);
    for await (const line of readLines(target, objects)) live.add((JSON.parse(line) as CopiedObject).copy);
  }
  let dead: string[] = [];
  for await (const { key } of everyObject(target, COPIES)) {
    if (!live.has(key)) dead.push(key);
    if (dead.length < AT_ONCE) continue;
    await target.delete(dead);
    dead = [];
  }
  await target.delete(dead);
  return old;
}
