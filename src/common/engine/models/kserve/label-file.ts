import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelError } from '../model-error';

const MAX_BYTES = 1024 * 1024;

/** The labels of classes by their number, from a file with one a line. */
export async function readLabelFile(folder: string, name: string | undefined): Promise<readonly string[]> {
  if (name === undefined) return [];
  const path = join(folder, name);
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size > MAX_BYTES) throw new ModelError(`${path} is larger than ${MAX_BYTES} bytes.`);
    const lines = (await file.readFile('utf8')).split('\n').map((line) => line.trim());
    while (lines.at(-1) === '') lines.pop();
    return lines;
  } finally {
    await file.close();
  }
}
