import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = /^compute-(\d+)-[0-9a-f-]{36}$/;

/** Named after its process, and made by whoever first needs it. */
export const newScratchFolder = (): string => join(tmpdir(), `compute-${process.pid}-${randomUUID()}`);

/** Removes what processes that are no more have left behind. */
export async function sweepScratchFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    // Another user's is for that user to remove.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
