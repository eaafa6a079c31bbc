import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';

export const pictureName = (index: number): string => `${String(index).padStart(6, '0')}.jpg`;

/** A folder of pictures and other named files, created once and kept in the temporary folder. */
export async function pictureFolderMadeOnce(
  name: string,
  count: number,
  picture: (index: number) => Promise<Buffer>,
  others: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = join(tmpdir(), `dataset-media-service-bench-${name}-${count}`);
  const files = count + Object.keys(others).length;
  if ((await readdir(folder).catch(() => [])).length === files) return folder;
  const unfinished = `${folder}.unfinished`;
  for (const each of [folder, unfinished]) await rm(each, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  let next = 0;
  const makeSome = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++)
      await writeFile(join(unfinished, pictureName(index)), await picture(index));
  };
  await Promise.all(cpus().map(makeSome));
  for (const [other, text] of Object.entries(others)) await writeFile(join(unfinished, other), text);
  await rename(unfinished, folder);
  return folder;
}
