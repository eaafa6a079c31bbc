import { hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from './configuration-error';

const KEY_BYTES = 32;

export const newSecretKey = (): Buffer => randomBytes(KEY_BYTES);

/** Distinguishes keys without revealing them. */
export const secretKeyDigest = (secretKey: Uint8Array): string =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'installation', 32)).toString('hex');

export const keptKeyPath = (dataDir: string): string => join(dataDir, 'secret.key');

export function decodeSecretKey(text: string, origin: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== KEY_BYTES)
    throw new ConfigurationError(`${origin} is not valid: it must be ${KEY_BYTES} bytes in base64.`);
  return key;
}

/** Returns the given key, or the one stored in the data folder, which is generated at first start. */
export function readOrMakeSecretKey(given: string | undefined, dataDir: string): Buffer {
  if (given !== undefined) return decodeSecretKey(given, 'SECRET_KEY');
  const path = keptKeyPath(dataDir);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, newSecretKey().toString('base64'), { mode: 0o600, flush: true });
  try {
    // A hard link appears atomically and never replaces an existing key.
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return decodeSecretKey(readFileSync(path, 'utf8'), path);
}
