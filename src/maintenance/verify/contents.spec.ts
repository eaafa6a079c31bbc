import { Readable } from 'node:stream';
import sharp from 'sharp';
import { allocateQuantisedRows } from '../../common/engine/vectors/quantised-rows';
import { writable } from '../../common/engine/vectors/quantised-file';
import { checkOf } from './contents';

const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } });
const rows = allocateQuantisedRows(5, 12);
rows.upper.fill(7);
rows.fineError.fill(0.5);

const problemOf = (key: string, bytes: Uint8Array, chunk = bytes.length): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunk) chunks.push(Buffer.from(bytes.subarray(at, at + chunk)));
  return checkOf(key)!(Readable.from(chunks), key);
};

describe('the content of', () => {
  it.each([
    ['a thumbnail', 'thumbs/ab/a.webp', () => picture.clone().webp().toBuffer()],
    ['a frame', 'frames/a/output_000001.jpg', () => picture.clone().jpeg().toBuffer()],
    ['quantised vectors', 'quantised/a/embedding/5/0-a.q16', () => Promise.resolve(writable(rows).bytes)],
  ])('%s is distinguished from a truncated or overwritten one', async (_, key, made) => {
    const bytes = await made();
    expect(await problemOf(key, bytes)).toBeUndefined();
    expect(await problemOf(key, bytes, 3)).toBeUndefined();
    for (const cut of [0, 1, 11, bytes.length >> 1, bytes.length - 1])
      expect(await problemOf(key, bytes.subarray(0, cut))).toMatch(/^It/);
    expect(await problemOf(key, new Uint8Array(bytes.length))).toMatch(/^It/);
  });

  it('detects a flipped bit of quantised vectors', async () => {
    const { bytes } = writable(rows);
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Uint8Array.from(bytes);
      changed[at]! ^= 16;
      expect(await problemOf('quantised/a/embedding/5/0-a.q16', changed)).toMatch(/^It/);
    }
  });

  it('a table is not checked here', () => {
    expect(checkOf('tables/a.lance/data/b.lance')).toBeUndefined();
  });
});
