import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errorMessage } from '../../../platform/errors/error-code';
import { ModelServerError } from './model-server-errors';

const MAX_KEY_BYTES = 16 * 1024;
const KEY = /^[\x21-\x7e]+$/;

/** Reads an API key. Throws ModelServerError if the file has none. */
export async function readServerKey(folder: string, keyFile: string): Promise<string> {
  const path = resolve(folder, keyFile);
  const key = (await firstBytes(path)).trim();
  if (!KEY.test(key))
    throw new ModelServerError(`The file ${path} holds no API key. Write the key to it as one line, and try again.`);
  return key;
}

async function firstBytes(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_KEY_BYTES));
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new ModelServerError(`The API key in ${path} can't be read: ${errorMessage(error)}.`);
  }
}
