import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../config/configuration-error';

export class DataFolderInUseError extends StartError {
  constructor(folder: string, owner: string) {
    super(
      `The data folder ${folder} is in use by another process of this service (${owner}). Stop that process, or set DATA_DIR to another folder.`,
    );
  }
}

const SQLITE_BUSY = 5;

function ownerOf(folder: string): string {
  try {
    return readFileSync(join(folder, 'service.pid'), 'utf8').trim();
  } catch {
    return 'unknown';
  }
}

/**
 * Prevents two processes from using the same data folder. Node has no flock, so this holds an exclusive SQLite transaction, which works on Linux and
 * macOS; the kernel releases it when the process ends, even if it crashes.
 */
export class DataFolderLock {
  /** Keeps a reference: a garbage-collected database would release its lock. */
  private static readonly held = new Set<DataFolderLock>();

  private constructor(private readonly database: DatabaseSync) {}

  static take(folder: string): DataFolderLock {
    mkdirSync(folder, { recursive: true });
    const database = new DatabaseSync(join(folder, 'service.lock'), { timeout: 0 });
    try {
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      if ((error as { errcode?: number }).errcode === SQLITE_BUSY)
        throw new DataFolderInUseError(folder, ownerOf(folder));
      throw error;
    }
    writeFileSync(join(folder, 'service.pid'), `${process.pid}\n`);
    const lock = new DataFolderLock(database);
    DataFolderLock.held.add(lock);
    return lock;
  }

  release(): void {
    DataFolderLock.held.delete(this);
    this.database.close();
  }
}
