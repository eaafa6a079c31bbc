import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { JobAttempt } from '../../../common/platform/jobs/job-handler';
import type { ByteRange, ObjectStore } from '../../../common/platform/storage/object-store';
import { jsonLine } from '../../../common/platform/text/lines';
import { classifyFileName } from './domain/media-formats';
import { isVersioned, type SourceFile } from './domain/source-file';
import type { AnnotationFileName } from '../annotation-files/domain/annotation-file';

/** The files of a source, listed once. It is the checkpoint of the run. */
export interface ListedSource {
  /** Key of the list of media files in the store. */
  readonly key: string;
  readonly files: number;
  /** The weight of a part. */
  readonly partWeight: number;
  readonly annotations: readonly {
    readonly name: AnnotationFileName;
    readonly source: string;
    readonly size: number;
    readonly version: string | null;
  }[];
  /** Whether images and frames are labelled with the name of the folder of their file; false by default. */
  readonly labelsFromFolders?: boolean;
  /** Warnings about parts of the source that could not be listed. */
  readonly warnings: readonly string[];
}

/** Prefix of the temporary objects of a task. */
export const WORK_PREFIX = 'work/';
export const workPrefix = (taskId: string): string => `${WORK_PREFIX}${taskId}/`;

/** Part of the names of objects that an attempt writes, so that an attempt that lost its lease cannot overwrite those of its successor. */
export const attemptName = ({ runId, attempt }: JobAttempt): string => `${runId}-${attempt}`;

/** Streams the list of a run's files to the store, as JSON lines. */
export async function writeFileList(store: ObjectStore, key: string, files: AsyncIterable<SourceFile>): Promise<void> {
  async function* lines(): AsyncGenerator<string> {
    for await (const file of files) yield jsonLine(file);
  }
  await store.put(key, Readable.from(inBlocks(lines())));
}

const BLOCK_CHARACTERS = 64 * 1024;

async function* inBlocks(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let block = '';
  for await (const line of lines) {
    block += line;
    if (block.length < BLOCK_CHARACTERS) continue;
    yield Buffer.from(block);
    block = '';
  }
  if (block !== '') yield Buffer.from(block);
}

export async function* readFileList(store: ObjectStore, key: string, range?: ByteRange): AsyncGenerator<SourceFile> {
  for await (const line of lines(store, key, range)) yield JSON.parse(line) as SourceFile;
}

/** Consecutive files of a list that are analysed together. */
export interface FilePart {
  readonly sequence: number;
  readonly files: number;
  /** The amount of work, in small images. */
  readonly weight: number;
  /** The position of the part in the list. */
  readonly range: ByteRange;
  /** A digest of the names and versions of its files; null if a file may change without a new version. */
  readonly digest: string | null;
}

/** A part of this weight takes some seconds. An interrupted part is analysed again. */
export const PART_WEIGHT = 128;
const HEAVY_BYTES = 4 * 1024 * 1024;
const VIDEO_WEIGHT = 16;

/** The amount of work for a file, in small images. */
const weightOf = ({ path, size }: SourceFile): number =>
  (classifyFileName(path) === 'video' ? VIDEO_WEIGHT : 1) + Math.floor(size / HEAVY_BYTES);

/** Divides a list into parts of about the given weight, deterministically. */
export async function* partsOf(store: ObjectStore, key: string, partWeight: number): AsyncGenerator<FilePart> {
  let sequence = 0;
  let start = 0;
  let at = 0;
  let files = 0;
  let weight = 0;
  let hash = createHash('sha256');
  let hasVersions = true;
  const part = (): FilePart => {
    const digest = hasVersions ? hash.digest('base64') : null;
    return { sequence, files, weight, range: { start, end: at - 1 }, digest };
  };
  for await (const line of lines(store, key)) {
    const file = JSON.parse(line) as SourceFile;
    at += Buffer.byteLength(line) + 1;
    files += 1;
    weight += weightOf(file);
    hash.update(line);
    hasVersions &&= isVersioned(file);
    if (weight < partWeight) continue;
    yield part();
    [sequence, start, files, weight] = [sequence + 1, at, 0, 0];
    [hash, hasVersions] = [createHash('sha256'), true];
  }
  if (files > 0) yield part();
}

async function* lines(store: ObjectStore, key: string, range?: ByteRange): AsyncGenerator<string> {
  const input = await store.get(key, range);
  try {
    yield* createInterface({ input, crlfDelay: Infinity });
  } finally {
    input.destroy();
  }
}
