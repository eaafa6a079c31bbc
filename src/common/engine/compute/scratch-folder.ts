import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../platform/errors/error-code';

const NAME = /^compute-(\d+)-[0-9a-f-]{36}$/;

/** Not the temporary folder of the system, which may be small or in memory. */
const scratchRoot = (dataDir: string): string => join(dataDir, 'scratch');

/** Named after its process, and created on first use. */
export const newScratchFolder = (dataDir: string): string =>
  join(scratchRoot(dataDir), `compute-${process.pid}-${randomUUID()}`);

/** Removes the folders of processes that have ended. */
export async function sweepScratchFolders(dataDir: string): Promise<void> {
  const root = scratchRoot(dataDir);
  for (const name of await namesIn(root)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    // A folder of another user is skipped.
    await rm(join(root, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}
