import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ForeignFiles } from '../../src/common/engine/compute/readers/foreign-files';
import type { ReaderConfig, ReaderLimits } from '../../src/common/engine/compute/readers/reader-messages';

/** The configuration of readers that may read the files in a folder. */
export const readerConfig = (folder: string): ReaderConfig => ({
  storageUrl: pathToFileURL(join(folder, 'store')).href,
  s3: null,
  mediaRoots: [folder],
  mediaBuckets: [],
  baseUrl: 'http://127.0.0.1',
});

export const foreignFilesOf = (folder: string, limits: ReaderLimits, maxStreams?: number): ForeignFiles =>
  new ForeignFiles({ ...readerConfig(folder), workerConcurrency: 2 }, limits, maxStreams);
