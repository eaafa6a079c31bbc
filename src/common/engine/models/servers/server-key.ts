import { resolve } from 'node:path';
import { errorMessage } from '../../../platform/errors/error-code';
import { readPlainFile } from '../plain-file';
import { ModelServerError } from './model-server-errors';

const MAX_KEY_BYTES = 16 * 1024;
const KEY = /^[\x21-\x7e]+$/;

/** Reads an API key. Throws ModelServerError if the file has none. */
export async function readServerKey(folder: string, keyFile: string): Promise<string> {
  const path = resolve(folder, keyFile);
  const text = await readPlainFile(path, MAX_KEY_BYTES).catch((error: unknown) => {
    throw new ModelServerError(`The API key in ${path} can't be read: ${errorMessage(error)}.`);
  });
  const key = text.trim();
  if (!KEY.test(key))
    throw new ModelServerError(`The file ${path} holds no API key. Write the key to it as one line, and try again.`);
  return key;
}
