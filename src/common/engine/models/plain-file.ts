import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { ModelError } from './model-error';

/** Opening a pipe would otherwise wait for a writer, and block one of the few threads for files. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** Reads a text file in a model's folder. Throws ModelError, which refers to the file as `name`, if it is not a regular file or too large. */
export async function readPlainFile(path: string, maxBytes: number, name = path): Promise<string> {
  const file = await open(path, WITHOUT_WAITING);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new ModelError(`${name} is not a file.`);
    if (stats.size > maxBytes) throw new ModelError(`${name} is larger than ${maxBytes} bytes.`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
