import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { NotThereError } from './exit.js';

const notRead = (path: string, error: unknown): NotThereError =>
  new NotThereError(`${path} could not be read: ${(error as Error).message}`);

/** A file that is read while it is sent. */
export async function localFile(path: string): Promise<File> {
  try {
    return new File([await openAsBlob(path)], basename(path));
  } catch (error) {
    throw notRead(path, error);
  }
}

/** The lines of a text file, without empty lines at the end. */
export async function linesOf(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw notRead(path, error);
  });
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  while (lines.at(-1) === '') lines.pop();
  return lines;
}
