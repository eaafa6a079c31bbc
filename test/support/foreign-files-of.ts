import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ForeignFiles } from '../../src/common/engine/compute/readers/foreign-files';
import type { ReaderLimits } from '../../src/common/engine/compute/readers/reader-messages';

/** Readers that may read what lies in a folder. */
export function foreignFilesOf(folder: string, limits: ReaderLimits, maxStreams?: number): ForeignFiles {
  const config = {
    storageUrl: pathToFileURL(join(folder, 'store')).href,
    s3: null,
    mediaRoots: [folder],
    mediaBuckets: [],
    baseUrl: 'http://127.0.0.1',
    workerConcurrency: 2,
  };
  return new ForeignFiles(config, limits, maxStreams);
}
