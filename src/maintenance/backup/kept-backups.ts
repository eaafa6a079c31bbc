import { type ObjectStore, everyObject } from '../../common/platform/storage/object-store';
import { KeyHashSet } from '../../common/platform/text/key-hash-set';
import { readLines } from './line-file';
import { COPIES, listBackups, readManifest, removeBackup, type CopiedObject } from './manifest';

const AT_ONCE = 1000;

/** Removes all but the latest backups, and the copies that none of those refers to. Returns the ids of the removed. */
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
