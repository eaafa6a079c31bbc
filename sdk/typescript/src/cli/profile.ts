import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Credentials } from '../credentials.js';
import { MediaServiceError } from '../errors.js';

export const DEFAULT_URL = 'http://127.0.0.1:3000';

/** The content of the file that `dms login` writes. */
export interface Profile {
  readonly url: string;
  readonly api_key?: string;
  readonly api_secret?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A file in the user's configuration folder, which only the user may read. */
export function profilePath({ XDG_CONFIG_HOME: config, APPDATA: data }: Environment = process.env): string {
  if (config !== undefined && config !== '') return join(config, 'dms', 'config.json');
  if (process.platform === 'win32' && data !== undefined) return join(data, 'dms', 'config.json');
  return join(homedir(), '.config', 'dms', 'config.json');
}

export async function readProfile(path = profilePath()): Promise<Profile | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const parsed = JSON.parse(text) as Partial<Profile> | null;
    if (typeof parsed?.url === 'string') return parsed as Profile;
  } catch {
    // Reported below.
  }
  throw new MediaServiceError(`${path} is not a valid profile of dms. Run "dms login" to replace it.`);
}

export async function writeProfile(profile: Profile, path = profilePath()): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const written = `${path}.${process.pid}`;
  await writeFile(written, `${JSON.stringify(profile, null, 2)}\n`, { mode: 0o600 });
  await chmod(written, 0o600);
  await rename(written, path);
}

export const removeProfile = (path = profilePath()): Promise<void> => rm(path, { force: true });

/** True if other users may read the file; always false on Windows, which has no file modes. */
export async function isReadableByOthers(path = profilePath()): Promise<boolean> {
  if (process.platform === 'win32') return false;
  return ((await stat(path)).mode & 0o077) !== 0;
}

export interface Access {
  readonly url: string;
  readonly credentials: Credentials | undefined;
}

const sameOrigin = (a: string, b: string): boolean =>
  URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin;

/** The service to connect to. The credentials of the profile are only sent to the service that they belong to. */
export async function accessOf(url: string | undefined, environment: Environment = process.env): Promise<Access> {
  const profile = await readProfile();
  const { DMS_URL, DMS_API_KEY: apiKey, DMS_API_SECRET: apiSecret } = environment;
  const wanted = url ?? (DMS_URL || undefined) ?? profile?.url ?? DEFAULT_URL;
  if (apiKey && apiSecret) return { url: wanted, credentials: { apiKey, apiSecret } };
  if (profile?.api_key === undefined || profile.api_secret === undefined || !sameOrigin(profile.url, wanted))
    return { url: wanted, credentials: undefined };
  return { url: wanted, credentials: { apiKey: profile.api_key, apiSecret: profile.api_secret } };
}
