import { mkdir, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mostScratchBytes } from '../../../common/engine/similarity/rows/memory-plan';
import { DiskFullError, outageOf } from '../../../common/platform/outage/outage';
import { UnfinishedFiles } from '../../../common/platform/storage/folder/unfinished-files';

interface FiledVectors {
  /** The number of vectors in each group. */
  readonly counts: readonly number[];
  readonly dimension: number;
}

/** Compares vectors with scratch files in a folder, which is empty and is removed afterwards. Also removes files of killed processes. */
export async function inScratchFolder<T>(
  dataDir: string,
  { counts, dimension }: FiledVectors,
  compare: (folder: string) => Promise<T>,
): Promise<T> {
  const spools = new UnfinishedFiles(join(dataDir, 'spool'));
  await spools.sweep();
  const folder = spools.newPath();
  await mkdir(folder, { recursive: true });
  try {
    return await compare(folder);
  } catch (error) {
    if (!(outageOf(error) instanceof DiskFullError)) throw error;
    throw await tooLittleSpace(folder, mostScratchBytes(counts, dimension), error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The disk space that an attempt needs, and the space that is free once its files are removed. */
async function tooLittleSpace(folder: string, neededBytes: number, cause: unknown): Promise<DiskFullError> {
  await rm(folder, { recursive: true, force: true });
  const place = dirname(folder);
  const { bavail, bsize } = await statfs(place);
  return new DiskFullError(place, { cause, space: { neededBytes, freeBytes: bavail * bsize } });
}
