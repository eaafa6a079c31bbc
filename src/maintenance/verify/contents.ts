import type { Readable } from 'node:stream';
import { isWholeQuantisedFile } from '../../common/engine/vectors/quantised-file';
import { digestOf } from '../backup/line-file';

/** Something that is not as it should be in the store. */
export interface Finding {
  readonly kind: 'missing' | 'damaged' | 'unreferenced';
  /** The object, or the version of a table. */
  readonly object: string;
  readonly reason: string;
}

type Check = (content: Readable, key: string) => Promise<string | undefined>;

const BLOB_NAME = /^blobs\/[0-9a-f]{2}\/([0-9a-f]{64})/;

/** By the prefixes of keys: a check of the content of an object, which returns the damage, if any. */
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

/** Undefined if the content of such an object says nothing about whether it is whole, beyond what is known of tables. */
export const checkOf = (key: string): Check | undefined =>
  Object.entries(CHECKS).find(([prefix]) => key.startsWith(prefix))?.[1];

interface Ends {
  readonly first: Buffer;
  readonly last: Buffer;
  readonly size: number;
}

const KEPT = 12;

/** Reads all of it, for part of a file may be unreadable, and keeps some bytes. */
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

/** Has its length in its head. */
const isWebp = ({ first, size }: Ends): boolean =>
  first.length === KEPT &&
  first.toString('latin1', 0, 4) === 'RIFF' &&
  first.toString('latin1', 8) === 'WEBP' &&
  first.readUInt32LE(4) + 8 === size;

/** Has a mark at both ends. */
const isJpeg = ({ first, last }: Ends): boolean =>
  first.subarray(0, 2).toString('hex') === 'ffd8' && last.subarray(-2).toString('hex') === 'ffd9';
