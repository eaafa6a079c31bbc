import { resolve } from 'node:path';
import { z } from 'zod';
import { modelFile } from '../model-manifest';
import { errorMessage } from '../../../platform/errors/error-code';
import { readPlainFile } from '../model-folder';
import { ModelServerError } from './model-server-errors';

const MAX_KEY_BYTES = 16 * 1024;
const KEY = /^[\x21-\x7e]+$/;

const url = z.url({ protocol: /^https?$/ }).refine(
  (text) => {
    const { username, password, search, hash } = new URL(text);
    return `${username}${password}${search}${hash}` === '';
  },
  { message: 'must have no user, password, query or fragment' },
);

/** The address of a model server, and the limits of requests to it. */
export const serverFields = {
  url,
  /** The name of the model on the server. */
  model: z.string().min(1).max(300),
  /** The path of a file with the API key, absolute or in the model's folder, so that the manifest contains no secrets. */
  keyFile: z.union([modelFile, z.string().startsWith('/').max(4096)]).optional(),
  /** The time limit of a whole response. */
  timeoutMs: z.int().min(10).max(300_000).default(120_000),
  /** The maximum number of concurrent requests. */
  atOnce: z.int().min(1).max(256).default(4),
  /** Pictures are scaled down to this longest side before they are sent. */
  longestSide: z.int().min(32).max(4096).default(1024),
  /** The number of retries while the server is overloaded or unavailable. */
  retries: z.int().min(0).max(10).default(3),
  /** The delay before the first retry; doubled for each further one. */
  retryMs: z.int().min(1).max(60_000).default(500),
};

export type ServerSettings = z.infer<z.ZodObject<typeof serverFields>>;

/** Reads an API key. Throws ModelServerError if the file contains none. */
export async function readServerKey(folder: string, keyFile: string): Promise<string> {
  const path = resolve(folder, keyFile);
  const text = await readPlainFile(path, MAX_KEY_BYTES).catch((error: unknown) => {
    throw new ModelServerError(`The API key in ${path} can't be read: ${errorMessage(error)}.`);
  });
  const key = text.trim();
  if (!KEY.test(key))
    throw new ModelServerError(`The file ${path} contains no API key. Write the key to it as one line, and try again.`);
  return key;
}
