import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { createStorage } from '../../src/common/platform/storage/create-storage';
import { SignedMediaUrls } from '../../src/modules/search/signed-media-urls';

/** As in the service that keeps its store in a folder and reads originals from another. */
export function signedUrls(): SignedMediaUrls {
  const { sources } = createStorage({
    storageUrl: pathToFileURL(tmpdir()).href,
    s3: null,
    mediaRoots: [],
    mediaBuckets: [],
    baseUrl: 'http://127.0.0.1:3000',
    secretKey: Buffer.alloc(32, 1),
  });
  return new SignedMediaUrls(sources);
}
