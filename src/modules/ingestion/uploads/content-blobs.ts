import { extname } from 'node:path/posix';
import { ObjectExistsError, type ObjectStore } from '../../../common/platform/storage/object-store';
import { newStagingKey, STAGING_PREFIX, type StagedFile } from '../../../common/platform/storage/staged-file';
import type { UploadedFile } from '../persistence/upload.repository';

const BLOB_PREFIX = 'blobs/';
const AT_ONCE = 8;

/** A sweep takes what is older than a day; until then nobody removes what nothing refers to yet. */
const SURELY_KEPT_MS = 12 * 60 * 60 * 1000;

/** An upload whose bytes are in the store, but to which no dataset refers yet. */
export interface ReceivedUpload extends UploadedFile {
  /** A copy of its bytes that no sweep takes before the upload is referred to; null where the blob itself is safe. */
  readonly stagingKey: string | null;
}

/** Uploads are kept once under what they hold; the extension stays, for it tells the content type. */
export const blobKey = (sha256: string, path: string): string =>
  `${BLOB_PREFIX}${sha256.slice(0, 2)}/${sha256}${extname(path).toLowerCase()}`;

export class ContentBlobs {
  constructor(
    private readonly store: ObjectStore,
    /** Below which prefix staged copies lie. */
    private readonly staging = STAGING_PREFIX,
  ) {}

  /** Straight under its own name; a blob that was there before is not trusted to stay. */
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

  /** The staged copy goes as soon as the blob is safe without it. */
  async settle(path: string, staged: StagedFile): Promise<ReceivedUpload> {
    const storeKey = blobKey(staged.sha256, path);
    const upload = { path, storeKey, sizeBytes: staged.size, sha256: staged.sha256 };
    const known = await this.store.head(storeKey);
    if (known !== undefined && !isYoung(known.lastModified)) return { ...upload, stagingKey: staged.key };
    if (known === undefined) await this.store.copy(staged.key, storeKey);
    await this.store.delete([staged.key]);
    return { ...upload, stagingKey: null };
  }

  /** Brings each blob that has a staged copy under its own name. */
  async promote(uploads: readonly ReceivedUpload[]): Promise<void> {
    await inBatches(uploads, async ({ stagingKey, storeKey }) => {
      if (stagingKey !== null) await this.store.copy(stagingKey, storeKey);
    });
  }

  /** To be called while sweeps wait: one may have taken a blob that nothing referred to until now. */
  async restore(uploads: readonly ReceivedUpload[]): Promise<void> {
    await inBatches(uploads, async ({ stagingKey, storeKey }) => {
      if (stagingKey === null || (await this.store.head(storeKey)) !== undefined) return;
      await this.store.copy(stagingKey, storeKey);
    });
  }

  async dropStaged(uploads: readonly ReceivedUpload[]): Promise<void> {
    await this.store.delete(uploads.flatMap(({ stagingKey }) => stagingKey ?? []));
  }

  private async isYoung(key: string): Promise<boolean> {
    const found = await this.store.head(key);
    return found !== undefined && isYoung(found.lastModified);
  }
}

const isYoung = (lastModified: Date): boolean => Date.now() - lastModified.getTime() < SURELY_KEPT_MS;

async function inBatches<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) await Promise.all(items.slice(at, at + AT_ONCE).map(act));
}
