import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { createStorage, type StorageConfig } from '../../src/common/platform/storage/create-storage';
import { PagePresenter } from '../../src/modules/search/http/page-presenter';
import { SignedMediaUrls } from '../../src/modules/search/signed-media-urls';

/** As of the service that keeps its store in a folder and reads originals from another. */
const STORAGE: StorageConfig = {
  storageUrl: pathToFileURL(tmpdir()).href,
  s3: null,
  mediaRoots: [],
  mediaBuckets: [],
  baseUrl: 'http://127.0.0.1:3000',
  secretKey: Buffer.alloc(32, 1),
};

export const signedUrls = (): SignedMediaUrls => new SignedMediaUrls(createStorage(STORAGE).sources);

export const pagePresenter = (): PagePresenter => new PagePresenter(STORAGE, signedUrls(), { isOn: () => false });
