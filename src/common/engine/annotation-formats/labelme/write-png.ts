import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32, createDeflate } from 'node:zlib';
import { partsInLines, type Span } from '../mask-lines';

export const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Eight bits of grey; compressed, filtered by row, not interlaced. */
const FORMAT = [8, 0, 0, 0, 0];

/** A picture whose pixels are 1 where it is set, counted along its rows, and 0 elsewhere. */
export async function pngOf(spans: readonly Span[], width: number, height: number): Promise<Buffer> {
  const head = Buffer.alloc(8 + FORMAT.length);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set(FORMAT, 8);
  const rows = Readable.from(rowsOf(spans, width, height)).pipe(createDeflate());
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', await buffer(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Each after the number of its filter, which is none. */
function* rowsOf(spans: readonly Span[], width: number, height: number): Generator<Buffer> {
  let row = Buffer.alloc(1 + width);
  let line = 0;
  for (const [of, start, end] of partsInLines(spans, width)) {
    for (; line < of; line++) {
      yield row;
      row = Buffer.alloc(1 + width);
    }
    row.fill(1, 1 + start, 1 + end);
  }
  for (; line < height; line++) {
    yield row;
    row = Buffer.alloc(1 + width);
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
