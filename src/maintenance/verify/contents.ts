import type { Readable } from 'node:stream';
import { isWholeQuantisedFile } from '../../common/engine/vectors/quantised-file';
import { digestOf } from '../backup/line-file';

/** A problem in the store. */
export interface Finding {
  readonly kind: 'missing' | 'damaged' | 'unreferenced';
  /** The object, or the version of a table. */
  readonly object: string;
  readonly reason: string;
}

type Check = (content: Readable, key: string) => Promise<string | undefined>;

const BLOB_NAME = /^blobs\/[0-9a-f]{2}\/([0-9a-f]{64})/;

/** Content checks by prefixes of keys. A check returns the damage of an object, if any. */
const CHECKS: Readonly<Record<string, Check>> = {
  'blobs/': async (content, key) =>
    (await digestOf(content)).sha256 === BLOB_NAME.exec(key)?.[1]
      ? undefined
      : 'Its content does not match its name, which is its checksum',
  'thumbs/': async (content) => (isWebp(await endsOf(content)) ? undefined : 'It is not a complete WebP file'),
  'frames/': async (content) => (isJpeg(await endsOf(content)) ? undefined : 'It is not a complete JPEG file'),
  'quantised/': async (content) =>
    (await isWholeQuantisedFile(content))
      ? undefined
      : 'Its checksum does not match; it is made again when it is next read',
};

/** Undefined if the content does not show whether the object is complete; tables are checked separately. */
export const checkOf = (key: string): Check | undefined =>
  Object.entries(CHECKS).find(([prefix]) => key.startsWith(prefix))?.[1];

interface Ends {
  readonly first: Buffer;
  readonly last: Buffer;
  readonly size: number;
}

const KEPT = 12;

/** Reads the whole object, because any part may be unreadable, and keeps some bytes. */
async function endsOf(content: AsyncIterable<Buffer>): Promise<Ends> {
  let [first, last] = [Buffer.alloc(0), Buffer.alloc(0)];
  let size = 0;
  for await (const chunk of content) {
    if (first.length < KEPT) first = Buffer.concat([first, chunk]).subarray(0, KEPT);
    last = Buffer.concat([last, chunk.subarray(-KEPT)]).subarray(-KEPT);
    size += chunk.length;
  }
  return { first, last, size };
}

/** The length is in the header. */
const isWebp = ({ first, size }: Ends): boolean =>
  first.length === KEPT &&
  first.toString('latin1', 0, 4) === 'RIFF' &&
  first.toString('latin1', 8) === 'WEBP' &&
  first.readUInt32LE(4) + 8 === size;

/** The format has a magic number at both ends. */
const isJpeg = ({ first, last }: Ends): boolean =>
  first.subarray(0, 2).toString('hex') === 'ffd8' && last.subarray(-2).toString('hex') === 'ffd9';
