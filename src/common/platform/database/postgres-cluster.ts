import { spawn, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  writeFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { dataFolderArgument, EmbeddedPostgresError, type PostgresProgram } from './postgres-program';

const FAST_SHUTDOWN_MS = 10_000;

/** A Postgres data folder and its password, created atomically. */
export interface PostgresCluster {
  readonly folder: string;
  readonly user: string;
  readonly password: string;
  readonly logFile: string;
}

export const SUPERUSER = 'media_service';
const DRAFT_PREFIX = 'draft-';

function give(path: string, program: PostgresProgram): void {
  if (program.user !== null) chownSync(path, program.user.uid, program.user.gid);
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

function runInitdb(program: PostgresProgram, folder: string, passwordFile: string): Promise<void> {
  // A descriptor, because the user that runs Postgres may not be able to open the path.
  const password = openSync(passwordFile, 'r');
  const child = spawn(
    program.initdb,
    [
      `--pgdata=${dataFolderArgument(program, folder)}`,
      `--username=${SUPERUSER}`,
      '--pwfile=/dev/fd/3',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe', password], ...program.user },
  );
  closeSync(password);
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new EmbeddedPostgresError(`Postgres could not initialise its data folder: ${output.trim()}`));
    });
  });
}

async function initialise(root: string, cluster: PostgresCluster, program: PostgresProgram): Promise<void> {
  const draft = join(root, `${DRAFT_PREFIX}${process.pid}`);
  mkdirSync(draft, { mode: 0o700 });
  give(draft, program);
  const passwordFile = join(root, 'password');
  give(passwordFile, program);
  await runInitdb(program, draft, passwordFile);
  // The final name appears only after initdb has finished, so an interrupted start leaves no folder that looks usable.
  renameSync(draft, cluster.folder);
  syncFolder(root);
}

function readOrMakePassword(root: string): string {
  const path = join(root, 'password');
  if (!existsSync(path)) {
    const draft = `${path}.draft`;
    writeFileSync(draft, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    renameSync(draft, path);
  }
  return readFileSync(path, 'utf8');
}

export async function openCluster(root: string, program: PostgresProgram): Promise<PostgresCluster> {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const real = realpathSync(root);
  for (const name of readdirSync(real)) {
    if (name.startsWith(DRAFT_PREFIX)) await removeDraft(join(real, name));
  }
  const cluster = {
    folder: join(real, 'cluster'),
    user: SUPERUSER,
    password: readOrMakePassword(real),
    logFile: join(real, 'server.log'),
  };
  if (!existsSync(cluster.folder)) await initialise(real, cluster, program);
  return cluster;
}

function usesFolder(pid: string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return false;
  }
}

/** The processes of any Postgres server that has this data folder open. */
function processesOf(folder: string): number[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && usesFolder(name, folder))
      .map(Number);
  }
  const lines = execFileSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' }).split('\n');
  return lines
    .filter((line) => line.includes('postgres') && line.includes(`-D ${folder} `))
    .map((line) => Number.parseInt(line, 10));
}

function postmasterPid(folder: string): number | null {
  try {
    return Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'utf8'), 10);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function killAll(folder: string): Promise<void> {
  for (let left = processesOf(folder); left.length > 0; left = processesOf(folder)) {
    left.forEach((orphan) => signal(orphan, 'SIGKILL'));
    await delay(10);
  }
}

/** Removes the unfinished cluster of a process that was killed, and stops processes that still use it. */
async function removeDraft(folder: string): Promise<void> {
  await killAll(folder);
  rmSync(folder, { recursive: true });
}

async function untilGone(pid: number, folder: string, deadline: number): Promise<void> {
  while (Date.now() < deadline && processesOf(folder).includes(pid)) await delay(25);
}

/** Stops a postmaster that outlived a killed process and still uses this data folder. The caller holds the folder's lock. */
export async function stopOrphanedPostmaster(folder: string): Promise<void> {
  const pid = postmasterPid(folder);
  if (pid !== null && processesOf(folder).includes(pid)) {
    signal(pid, 'SIGINT');
    await untilGone(pid, folder, Date.now() + FAST_SHUTDOWN_MS);
  }
  // The remaining processes have no work to finish without their postmaster.
  await killAll(folder);
  // The pid may have been reused by another process, which would make Postgres refuse to start.
  rmSync(join(folder, 'postmaster.pid'), { force: true });
}
