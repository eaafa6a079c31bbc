import { readFile, rm, writeFile } from 'node:fs/promises';
import { UploadRunningError } from './errors.js';

/** Locks held by this process. */
const held = new Set<string>();

/** A file with the id of the process that holds the lock. A lock of a killed process is taken over. */
export class LockFile {
  private constructor(private readonly path: string) {}

  /** Throws UploadRunningError if this process or another one holds the lock. */
  static async take(path: string): Promise<LockFile> {
    if (held.has(path)) throw new UploadRunningError(process.pid, path);
    held.add(path);
    try {
      while (!(await create(path))) {
        const holder = Number(await readFile(path, 'utf8').catch(() => ''));
        if (isOfAnother(holder)) throw new UploadRunningError(holder, path);
        await rm(path, { force: true });
      }
      return new LockFile(path);
    } catch (error) {
      held.delete(path);
      throw error;
    }
  }

  async release(): Promise<void> {
    await rm(this.path, { force: true });
    held.delete(this.path);
  }
}

async function create(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Whether another process with this id is running. The id may also be that of this process, left by an earlier one. */
function isOfAnother(id: number): boolean {
  if (!Number.isInteger(id) || id <= 0 || id === process.pid) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // The process belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
