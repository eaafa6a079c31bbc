import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const FAST_SHUTDOWN_MS = 10_000;

function usesFolder(pid: string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return false;
  }
}

/** The processes of any Postgres that has this data folder open. */
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

/** Removes the half-made cluster of a process that was killed, and stops processes that still use it. */
export async function removeDraft(folder: string): Promise<void> {
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
  // Without their postmaster the others have nothing left to finish.
  await killAll(folder);
  // The pid may have been reused by another process, which would make Postgres refuse to start.
  rmSync(join(folder, 'postmaster.pid'), { force: true });
}
