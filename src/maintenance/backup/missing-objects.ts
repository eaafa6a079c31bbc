import type { ObjectStore } from '../../common/platform/storage/object-store';
import type { KeyHashSet } from '../../common/platform/text/key-hash-set';
import { versionKeys, type References } from '../persistence/references';
import { readLines } from './line-file';
import type { Manifest } from './manifest';

/** Lists the objects that the dumped database refers to and the store lacks. Reads the list of uploads from the dump. */
export async function missingFrom(
  copied: KeyHashSet,
  { versions, tagFiles, archives }: References,
  target: ObjectStore,
  tables: Manifest['tables'],
): Promise<string[]> {
  const missing = [...tagFiles, ...archives].filter((key) => !copied.has(key));
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
