import type { RawImage } from './decoded-image';

const SHORT = 3;
const LONG = 4;
const BYTES = 7;
const LINES_A_STRIP = 64;

/** Wraps raw pixels and their colour profile in an uncompressed TIFF, because sharp takes no profile with raw pixels. */
export function withProfile({ data, width, height, channels }: RawImage, profile: Uint8Array): Buffer {
  const line = width * channels;
  const strips = Math.ceil(height / LINES_A_STRIP);
  const lines = (strip: number): number => Math.min(LINES_A_STRIP, height - strip * LINES_A_STRIP);
  const numbers = (count: number, of: (i: number) => number): number[] =>
    Array.from({ length: count }, (_, i) => of(i));
  const start = (offset: number): number[] => numbers(strips, (i) => offset + i * LINES_A_STRIP * line);
  const tags = (offset: number): Tag[] => [
    [256, LONG, [width]],
    [257, LONG, [height]],
    [258, SHORT, numbers(channels, () => 8)],
    [259, SHORT, [1]],
    [262, SHORT, [channels < 3 ? 1 : 2]],
    [273, LONG, start(offset)],
    [277, SHORT, [channels]],
    [278, LONG, [LINES_A_STRIP]],
    [279, LONG, numbers(strips, (i) => lines(i) * line)],
    ...(channels % 2 === 0 ? [[338, SHORT, [2]] as Tag] : []),
    [34675, BYTES, [...profile]],
  ];
  const head = directory(tags(directory(tags(0)).length));
  return Buffer.concat([head, data]);
}

type Tag = readonly [tag: number, type: typeof SHORT | typeof LONG | typeof BYTES, values: readonly number[]];

function directory(tags: readonly Tag[]): Buffer {
  const entries = Buffer.alloc(8 + 2 + tags.length * 12 + 4);
  entries.write('II*\0\x08\0\0\0', 0, 'latin1');
  entries.writeUInt16LE(tags.length, 8);
  const values: Buffer[] = [];
  let at = entries.length;
  for (const [i, [tag, type, numbers]] of tags.entries()) {
    const entry = 10 + i * 12;
    entries.writeUInt16LE(tag, entry);
    entries.writeUInt16LE(type, entry + 2);
    entries.writeUInt32LE(numbers.length, entry + 4);
    const value = encoded(type, numbers);
    if (value.length <= 4) value.copy(entries, entry + 8);
    else {
      entries.writeUInt32LE(at, entry + 8);
      values.push(value, Buffer.alloc(value.length % 2));
      at += value.length + (value.length % 2);
    }
  }
  return Buffer.concat([entries, ...values]);
}

function encoded(type: Tag[1], numbers: readonly number[]): Buffer {
  if (type === BYTES) return Buffer.from(numbers);
  const size = type === SHORT ? 2 : 4;
  const value = Buffer.alloc(numbers.length * size);
  for (const [i, number] of numbers.entries()) value.writeUIntLE(number, i * size, size);
  return value;
}
