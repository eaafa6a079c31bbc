import { extname } from 'node:path/posix';
import { ObjectExistsError, type ObjectStore } from '../../../common/platform/storage/object-store';
import {
  dropStagedFiles,
  newStagingKey,
  STAGING_PREFIX,
  type StagedFile,
} from '../../../common/platform/storage/staged-file';
import type { UploadedFile } from '../persistence/upload.repository';

const BLOB_PREFIX = 'blobs/';
const AT_ONCE = 8;

/** Sweeps delete unreferenced blobs only after a day, so younger ones are safe. */
const MIN_AGE_MS = 12 * 60 * 60 * 1000;

/** An upload that is in the store but not referenced by a dataset yet. */
export interface ReceivedUpload extends UploadedFile {
  /** A staged copy that sweeps keep until the upload is referenced; null if the blob itself is safe. */
  readonly stagingKey: string | null;
}

/** Content-addressed storage of uploads; the key keeps the file extension, which determines the content type. */
export const blobKey = (sha256: string, path: string): string =>
  `${BLOB_PREFIX}${sha256.slice(0, 2)}/${sha256}${extname(path).toLowerCase()}`;

export class ContentBlobs {
  constructor(
    private readonly store: ObjectStore,
    /** Prefix of staged copies. */
    private readonly staging = STAGING_PREFIX,
  ) {}

  /** Writes directly to the blob's key, also if it exists: a sweep might delete the old one. */
  async put(path: string, sha256: string, bytes: Uint8Array): Promise<ReceivedUpload> {
    const storeKey = blobKey(sha256, path);
    const upload = { path, storeKey, sizeBytes: bytes.length, sha256 };
    try {
      await this.store.put(storeKey, bytes, { ifAbsent: true });
      return { ...upload, stagingKey: null };
    } catch (error) {
      if (!(error instanceof ObjectExistsError)) throw error;
    }
    if (await this.isYoung(storeKey)) return { ...upload, stagingKey: null };
    const stagingKey = newStagingKey(this.staging);
    await this.store.put(stagingKey, bytes);
    return { ...upload, stagingKey };
  }

  /** Deletes the staged copy if the blob is safe without it. */
  async settle(path: string, staged: StagedFile): Promise<ReceivedUpload> {
    const storeKey = blobKey(staged.sha256, path);
    const upload = { path, storeKey, sizeBytes: staged.size, sha256: staged.sha256 };
    const known = await this.store.head(storeKey);
    if (known !== undefined && !isYoung(known.lastModified)) return { ...upload, stagingKey: staged.key };
    if (known === undefined) await this.store.copy(staged.key, storeKey);
    await this.store.delete([staged.key]);
    return { ...upload, stagingKey: null };
  }

  /** Copies staged blobs to their final keys. */
  async promote(uploads: readonly ReceivedUpload[]): Promise<void> {
    await inBatches(uploads, async ({ stagingKey, storeKey }) => {
      if (stagingKey !== null) await this.store.copy(stagingKey, storeKey);
    });
  }

  /** Call it while sweeps are locked out: an earlier one may have deleted a blob that was not referenced yet. */
  async restore(uploads: readonly ReceivedUpload[]): Promise<void> {
    await inBatches(uploads, async ({ stagingKey, storeKey }) => {
      if (stagingKey === null || (await this.store.head(storeKey)) !== undefined) return;
      await this.store.copy(stagingKey, storeKey);
    });
  }

  async dropStaged(uploads: readonly ReceivedUpload[]): Promise<void> {
    await dropStagedFiles(
      this.store,
      uploads.flatMap(({ stagingKey }) => stagingKey ?? []),
    );
  }

  private async isYoung(key: string): Promise<boolean> {
    const found = await this.store.head(key);
    return found !== undefined && isYoung(found.lastModified);
  }
}

const isYoung = (lastModified: Date): boolean => Date.now() - lastModified.getTime() < MIN_AGE_MS;

async function inBatches<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) await Promise.all(items.slice(at, at + AT_ONCE).map(act));
}
