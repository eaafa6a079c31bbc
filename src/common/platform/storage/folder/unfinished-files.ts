import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { errorCode } from '../../errors/error-code';

const DAY_MS = 24 * 3600 * 1000;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
};

/** Temporary files of writes in progress. Their names contain the process and host that own them. */
export class UnfinishedFiles {
  private readonly owner = `${encodeURIComponent(hostname())}~${process.pid}`;

  constructor(readonly folder: string) {}

  newPath(): string {
    return join(this.folder, `${this.owner}~${randomUUID()}`);
  }

  async makeFolder(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
  }

  /** Removes the files of dead processes. */
  async sweep(): Promise<void> {
    for (const name of await this.names()) {
      const path = join(this.folder, name);
      const stats = await lstat(path).catch(() => undefined);
      if (stats !== undefined && this.isAbandoned(name, stats.mtimeMs))
        await rm(path, { recursive: true, force: true });
    }
  }

  private async names(): Promise<string[]> {
    try {
      return await readdir(this.folder);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    }
  }

  /** In a container every run has the same pid, so a file with the current pid only belongs to this process if it is younger than the process. */
  private isAbandoned(name: string, modifiedAt: number): boolean {
    const [host, pid] = name.split('~');
    if (Date.now() - modifiedAt > DAY_MS) return true;
    if (host !== encodeURIComponent(hostname())) return false;
    if (Number(pid) === process.pid) return modifiedAt < Math.floor(performance.timeOrigin) - 1000;
    return !isAlive(Number(pid));
  }
}
