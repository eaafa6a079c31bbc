import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createStorage } from '../../src/common/platform/storage/create-storage';
import type { ObjectStore } from '../../src/common/platform/storage/object-store';

export const folderStore = (folder: string): ObjectStore =>
  createStorage({
    storageUrl: pathToFileURL(join(folder, 'store')).href,
    s3: null,
    mediaRoots: [folder],
    mediaBuckets: [],
    secretKey: Buffer.alloc(32),
    baseUrl: 'http://127.0.0.1:3000',
  }).store;
