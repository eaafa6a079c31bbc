import { join } from 'node:path';
import { readPlainFile } from '../plain-file';

const MAX_BYTES = 1024 * 1024;

/** The labels of classes by their number, from a file with one a line. */
export async function readLabelFile(folder: string, name: string | undefined): Promise<readonly string[]> {
  if (name === undefined) return [];
  const lines = (await readPlainFile(join(folder, name), MAX_BYTES)).split('\n').map((line) => line.trim());
  while (lines.at(-1) === '') lines.pop();
  return lines;
}
