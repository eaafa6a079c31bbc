import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import type { StorageConfig } from '../../src/common/platform/storage/create-storage';

/** The configuration of a service whose store is a folder. */
export const FOLDER_STORAGE: StorageConfig = {
  storageUrl: pathToFileURL(tmpdir()).href,
  s3: null,
  mediaRoots: [],
  mediaBuckets: [],
  baseUrl: 'http://127.0.0.1:3000',
  secretKey: Buffer.alloc(32, 1),
};
