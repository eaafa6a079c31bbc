import { hash } from 'node:crypto';
import { read } from 'node:fs';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { errorMessage } from '../../platform/errors/error-code';
import type { OpenFile } from '../../platform/storage/folder/file-calls';
import { isFileSystemFailure } from '../../platform/storage/sources/media-roots';
import {
  SourceNotAllowedError,
  SourceNotFoundError,
  type MediaSources,
} from '../../platform/storage/sources/source-files';
import { MediaRejected } from './media-analysis';
import {
  mediaTypeOf,
  SIGNATURE_BYTES,
  unsupportedName,
  type Container,
  type ImageFormat,
  type MediaType,
} from './media-type';

export const MAX_IMAGE_BYTES = 512 * 1024 * 1024;
/** Larger images are read one at a time. */
export const WHOLE_READ_BYTES = 64 * 1024 * 1024;
const SHORTEST_SIGNATURE = 12;
const STREAM_TIMEOUT_MS = 120_000;

export type ReadMedia =
  | {
      readonly kind: 'IMAGE';
      readonly format: ImageFormat;
      readonly mimeType: string;
      readonly bytes: Buffer;
      readonly sha256: string;
    }
  | { readonly kind: 'VIDEO'; readonly container: Container; readonly mimeType: string };

/** Reads a whole image, or only the beginning of a video. Undefined for an image with more bytes than `most`. */
export async function readMedia(
  sources: MediaSources,
  source: string,
  signal: AbortSignal,
  most: number,
): Promise<ReadMedia | undefined> {
  const file = await rejectIfUnreadable(source, () => sources.openFile(source));
  if (file !== undefined) return rejectIfUnreadable(source, () => readFile(file, most));
  const stopping = AbortSignal.any([signal, AbortSignal.timeout(STREAM_TIMEOUT_MS)]);
  const stream = await rejectIfUnreadable(source, () => sources.open(source));
  const stop = (): void => void stream.destroy(stopping.reason as Error);
  stopping.addEventListener('abort', stop, { once: true });
  try {
    return await readStream(stream, most);
  } finally {
    stopping.removeEventListener('abort', stop);
    stream.destroy();
  }
}

const missing = (): MediaRejected => new MediaRejected('missing', 'The file no longer exists.');

/** For steps that only read the file. The caller of a rejected file checks whether the whole folder is missing. */
export async function rejectIfUnreadable<T>(source: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof SourceNotFoundError) throw missing();
    if (error instanceof SourceNotAllowedError) throw new MediaRejected('unreadable', error.message);
    if (source.startsWith('file:') && isFileSystemFailure(error))
      throw new MediaRejected('unreadable', `The file can't be read: ${errorMessage(error)}.`);
    throw error;
  }
}

/** A single call, which is much faster than a stream; only waiting for the disk uses another thread. */
async function readFile(file: OpenFile, most: number): Promise<ReadMedia | undefined> {
  let stream: Readable | undefined;
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw missing();
    const size = Number(stats.size);
    if (size <= WHOLE_READ_BYTES) return imageOrVideo([await readWhole(file.descriptor, size)]);
    stream = file.createReadStream();
    return await readStream(stream, most);
  } finally {
    if (stream === undefined) await file.close();
    else stream.destroy();
  }
}

const readSome = promisify(read);

async function readWhole(file: number, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await readSome(file, bytes, filled, size - filled, null);
    // The file was truncated while it was read.
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

async function readStream(stream: Readable, most: number): Promise<ReadMedia | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  let known = false;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (!known && size >= SIGNATURE_BYTES) {
      const type = typeOf(Buffer.concat(chunks));
      if (type.kind === 'VIDEO') return type;
      known = true;
    }
    if (size > most && most < MAX_IMAGE_BYTES) return undefined;
    if (size > MAX_IMAGE_BYTES) {
      throw new MediaRejected('too_large', `The image file is larger than ${MAX_IMAGE_BYTES / 1024 ** 2} MiB.`);
    }
  }
  return imageOrVideo(chunks);
}

function imageOrVideo(chunks: Buffer[]): ReadMedia {
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  if (bytes.length === 0) throw new MediaRejected('unreadable', 'The file is empty.');
  const type = typeOf(bytes);
  return type.kind === 'VIDEO' ? type : { ...type, bytes, sha256: hash('sha256', bytes) };
}

function typeOf(head: Buffer): MediaType {
  const type = mediaTypeOf(head);
  if (type) return type;
  if (head.length < SHORTEST_SIGNATURE) throw new MediaRejected('unreadable', 'The file is truncated.');
  const name = unsupportedName(head);
  throw new MediaRejected(
    'unsupported',
    name === undefined
      ? 'The file is not in a supported image or video format.'
      : `The file is ${name}, which is not supported. Save it as JPEG, PNG or WebP.`,
  );
}
