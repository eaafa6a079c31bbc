import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { RangedFile } from '../../../common/engine/compute/readers/parquet-bytes';
import type { Naming } from '../domain/embedding-upload';
import { MAX_HEADER_BYTES, npyLayout, type NpyLayout } from '../domain/npy-layout';
import { VectorFault } from '../domain/unit-vector';
import { nameLines, type NamedVectors, rowsInBlock, VectorBlockBuilder, type VectorBlock } from './vector-block';

export interface NameList extends RangedFile {
  readonly naming: Naming;
}

/** The rows of an array, and for each a line of a list of names. */
export async function npyVectors(file: RangedFile, names: NameList): Promise<NamedVectors> {
  if (file.size === 0) throw new VectorFault('is empty');
  const head = await buffer(await file.open({ start: 0, end: Math.min(file.size, MAX_HEADER_BYTES) - 1 }));
  const layout = npyLayout(head, file.size);
  const { rows, dimension } = layout;
  return { naming: names.naming, dimension, rows, blocks: () => blocksOf(file, names, layout) };
}

async function* blocksOf(file: RangedFile, names: NameList, layout: NpyLayout): AsyncGenerator<VectorBlock, undefined> {
  const { rows, dimension, bytesEach, start } = layout;
  const block = new VectorBlockBuilder(dimension);
  const lines = nameLines(await names.open());
  let read = 0;
  const bytes = await file.open({ start, end: file.size - 1 });
  for await (const part of partsOf(bytes, rowsInBlock(dimension) * dimension * bytesEach)) {
    const numbers = numbersOf(part, layout);
    for (let from = 0; from < numbers.length; from += dimension) {
      const line = await lines.next();
      if (line.done === true) throw otherNames(read, rows);
      block.add(line.value, numbers, from);
      read += 1;
      if (block.isFull) yield block.take();
    }
  }
  if ((await lines.next()).done !== true) throw new VectorFault(`has ${rows} vectors, and the list has more names`);
  yield block.take();
}

const otherNames = (names: number, rows: number): VectorFault =>
  new VectorFault(`has ${rows} vectors, and the list has ${names} names`);

/** Parts of this size with a buffer of their own; the last one may be smaller. */
async function* partsOf(source: Readable, size: number): AsyncGenerator<ArrayBuffer, undefined> {
  let part = new Uint8Array(size);
  let filled = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length;) {
        const taken = Math.min(chunk.length - at, size - filled);
        part.set(chunk.subarray(at, at + taken), filled);
        at += taken;
        filled += taken;
        if (filled < size) continue;
        yield part.buffer;
        [part, filled] = [new Uint8Array(size), 0];
      }
    }
  } finally {
    source.destroy();
  }
  if (filled > 0) yield part.buffer.slice(0, filled);
}

function numbersOf(bytes: ArrayBuffer, { bytesEach, isBigEndian }: NpyLayout): ArrayLike<number> {
  const swapped = Buffer.from(bytes);
  switch (bytesEach) {
    case 2:
      if (isBigEndian) swapped.swap16();
      return new Float16Array(bytes);
    case 4:
      if (isBigEndian) swapped.swap32();
      return new Float32Array(bytes);
    case 8:
      if (isBigEndian) swapped.swap64();
      return new Float64Array(bytes);
  }
}
