import { deflateSync, zstdCompressSync } from 'node:zlib';
import sharp from 'sharp';
import { tiffBytes, type TiffTags } from '../../../../../test/support/tiff-bytes';
import { expandLzw } from './tiff-blocks';
import { openImage, type ImageBytes } from './open-image';
import { tiffHeader } from './tiff-header';

const WIDTH = 64;
const HEIGHT = 48;
/** Dark on the left, light on the right: 4, 8, … 256 of 256. */
const ramp = Array.from({ length: WIDTH * HEIGHT }, (_, i) => ((i % WIDTH) + 1) / WIDTH);
const bytesOf = ({ buffer }: { readonly buffer: ArrayBufferLike }): Uint8Array => new Uint8Array(buffer);

const grey = (bits: number, format: number, more: TiffTags = {}): TiffTags => ({
  256: [WIDTH],
  257: [HEIGHT],
  258: [bits],
  259: [1],
  262: [1],
  277: [1],
  278: [HEIGHT],
  339: [format],
  ...more,
});
const rgb = (bits: number, format: number, more: TiffTags = {}): TiffTags =>
  grey(bits, format, { 258: [bits, bits, bits], 262: [2], 277: [3], 339: [format, format, format], ...more });
const tripled = (values: readonly number[]): number[] => values.flatMap((value) => [value, value, value]);

const opening = (bytes: Buffer): ImageBytes => ({
  bytes,
  format: 'tiff',
  swapRedBlueForTiffHeic: false,
});

async function shown(file: Buffer): Promise<number[]> {
  const image = await openImage(opening(file));
  expect(image).toMatchObject({ width: WIDTH, height: HEIGHT });
  const { data } = await image.pixels(384);
  return [0, WIDTH / 2 - 1, WIDTH - 1].map((x) => data[(5 * WIDTH + x) * 3]!);
}

/** Encodes runs only. */
const packBits = (bytes: Uint8Array): Uint8Array =>
  bytes.every((byte) => byte === 0)
    ? new Uint8Array(bytes.length / 64).map((_, i) => (i % 2 === 0 ? 129 : 0))
    : Uint8Array.from(Array.from(bytes).flatMap((byte) => [0, byte]));

/** Uses codes of nine bits, and starts a new table before longer ones are needed. */
function literalLzw(bytes: Uint8Array): Uint8Array {
  const codes = Array.from(bytes).flatMap((byte, i) => (i % 200 === 0 ? [256, byte] : [byte]));
  const bits = [...codes, 257].map((code) => code.toString(2).padStart(9, '0')).join('');
  return Uint8Array.from(bits.match(/.{1,8}/g)!, (each) => Number.parseInt(each.padEnd(8, '0'), 2));
}

const floats = Float32Array.from(ramp);
const ints = Int32Array.from(ramp, (value) => value * 2 ** 32 - 2 ** 31 - 1);
const SCALED: readonly (readonly [string, TiffTags, Uint8Array])[] = [
  ['32-bit floats from 0 to 1', grey(32, 3), bytesOf(floats)],
  ['64-bit floats from 0 to 1', grey(64, 3), bytesOf(Float64Array.from(ramp))],
  ['floats from 0 to 1 of three colours', rgb(32, 3), bytesOf(Float32Array.from(tripled(ramp)))],
  ['floats with 8-bit values', grey(32, 3), bytesOf(Float32Array.from(ramp, (value) => Math.round(value * 255)))],
  [
    'floats with the range given by tags',
    grey(32, 3, { 340: [-100], 341: [3000] }),
    bytesOf(Float32Array.from(ramp, (value) => value * 3100 - 100)),
  ],
  [
    'floats with the range given by ImageJ',
    grey(32, 3, { 270: 'ImageJ=1.54f\nimages=1\nmin=-10.0\nmax=90.0\n' }),
    bytesOf(Float32Array.from(ramp, (value) => value * 100 - 10)),
  ],
  ['floats in which 0 is white', grey(32, 3, { 262: [0] }), bytesOf(floats.map((value) => 1 - value))],
  ['unsigned 32 bits', grey(32, 1), bytesOf(Uint32Array.from(ramp, (value) => value * (2 ** 32 - 1)))],
  ['unsigned 32 bits of three colours', rgb(32, 1), bytesOf(Uint32Array.from(tripled(ramp), (v) => v * (2 ** 32 - 1)))],
  ['signed 32 bits', grey(32, 2), bytesOf(ints)],
  ['signed 32 bits with 16-bit values', grey(32, 2), bytesOf(Int32Array.from(ramp, (value) => value * 65_535))],
  ['signed 8 bits', grey(8, 2), bytesOf(Int8Array.from(ramp, (value) => Math.round(value * 255) - 128))],
  ['signed 16 bits', grey(16, 2), bytesOf(Int16Array.from(ramp, (value) => Math.round(value * 65_535) - 32_768))],
  [
    '16 bits with the range given by tags',
    grey(16, 1, { 340: [100], 341: [1100] }),
    bytesOf(Uint16Array.from(ramp, (value) => 100 + value * 1000)),
  ],
  ['ZSTD', grey(8, 1, { 259: [50_000] }), zstdCompressSync(Uint8Array.from(ramp, (value) => value * 255))],
];

describe('openTiff', () => {
  it.each(SCALED)('displays %s', async (_, tags, samples) => {
    const values = await shown(tiffBytes(tags, [samples]));
    for (const [i, expected] of [4, 127, 255].entries()) expect(Math.abs(values[i]! - expected)).toBeLessThan(3);
  });

  it('applies the orientation', async () => {
    const tags = grey(32, 3, { 256: [HEIGHT], 257: [WIDTH], 278: [WIDTH], 274: [6] });
    const lines = Float32Array.from({ length: WIDTH * HEIGHT }, (_, i) => (WIDTH - Math.floor(i / HEIGHT)) / WIDTH);
    expect((await shown(tiffBytes(tags, [bytesOf(lines)])))[0]).toBeLessThan(10);
  });

  it('reads 12 bits', async () => {
    const values = ramp.map((value) => Math.floor(value * 4095));
    const packed = Uint8Array.from({ length: (values.length * 3) / 2 }, (_, i) => {
      const [first, second] = [values[Math.floor(i / 3) * 2]!, values[Math.floor(i / 3) * 2 + 1]!];
      return [first >> 4, ((first & 15) << 4) | (second >> 8), second & 255][i % 3]!;
    });
    expect((await shown(tiffBytes(grey(12, 1), [packed]))).map((value) => Math.round(value / 16))).toEqual([0, 8, 16]);
  });

  it('reads tiles, separate planes, CIELAB and old-style JPEG', async () => {
    const plane = Uint8Array.from(ramp, (value) => value * 255);
    const planes = tiffBytes(rgb(8, 1, { 284: [2], 322: [WIDTH], 323: [HEIGHT] }), [plane, plane, plane]);
    expect(await shown(planes)).toEqual([3, 127, 255]);

    const lab = Uint8Array.from(ramp.flatMap((value) => [value * 255, 0, 0]));
    const [dark, , light] = await shown(tiffBytes(rgb(8, 1, { 262: [8] }), [lab]));
    expect([dark! < 20, light! > 250]).toEqual([true, true]);

    const raw = { width: WIDTH, height: HEIGHT, channels: 1 } as const;
    const jpeg = await sharp(plane, { raw }).toColourspace('srgb').jpeg({ chromaSubsampling: '4:4:4' }).toBuffer();
    const old = tiffBytes(rgb(8, 1, { 259: [6], 262: [6], 513: [0], 514: [0], 530: [1, 1] }), [jpeg]);
    const values = await shown(old);
    for (const [i, expected] of [4, 127, 255].entries()) expect(Math.abs(values[i]! - expected)).toBeLessThan(6);
    await expect(shown(old.subarray(0, old.length - 300))).rejects.toMatchObject({ reason: 'unreadable' });
  });

  it.each([
    [
      'floats of an unknown range',
      grey(32, 3),
      bytesOf(Float32Array.from(ramp, (v) => v * 812 - 4)),
      /from -?[\d.]+ to 808 and/,
    ],
    [
      '32 bits with an unknown range',
      grey(32, 1),
      bytesOf(Uint32Array.from(ramp, (v) => v * 250_000)),
      /32-bit unsigned/,
    ],
    ['LZMA', grey(8, 1, { 259: [34_925] }), new Uint8Array(500), /uses LZMA \(34925\)/],
    ['an unknown compression', grey(8, 1, { 259: [999] }), new Uint8Array(500), /an unknown compression \(999\)/],
    ['floats in CMYK', grey(32, 3, { 262: [5] }), bytesOf(floats), /photometric interpretation 5/],
  ])('rejects %s with a reason', async (_, tags, samples, detail) => {
    await expect(shown(tiffBytes(tags, [samples]))).rejects.toMatchObject({
      reason: 'unsupported',
      detail: expect.stringMatching(detail) as string,
    });
  });

  it.each([
    ['Deflate', 8, (bytes: Uint8Array) => deflateSync(bytes)],
    ['ZSTD', 50_000, (bytes: Uint8Array) => zstdCompressSync(bytes)],
    ['PackBits', 32_773, (bytes: Uint8Array) => packBits(bytes)],
    ['LZW', 5, (bytes: Uint8Array) => literalLzw(bytes)],
  ] as const)('reads %s up to the size in the header', async (_, compression, compress) => {
    const tags = grey(32, 3, { 259: [compression] });
    const values = await shown(tiffBytes(tags, [compress(bytesOf(floats))]));
    expect(values.map((value) => Math.round(value / 16))).toEqual([0, 8, 16]);
    const bomb = compress(new Uint8Array(3 * bytesOf(floats).length));
    await expect(shown(tiffBytes(tags, [bomb]))).rejects.toMatchObject({
      reason: 'unreadable',
      detail: 'A strip or tile of the TIFF holds more bytes than its header says.',
    });
  });

  it('rejects LERC data with more pixels than the header declares', async () => {
    const blob = Buffer.alloc(100);
    blob.write('Lerc2 ', 0, 'latin1');
    blob.writeInt32LE(2, 6);
    blob.writeUInt32LE(20_000, 10);
    blob.writeUInt32LE(20_000, 14);
    await expect(shown(tiffBytes(grey(32, 3, { 259: [34_887] }), [blob]))).rejects.toMatchObject({
      detail: 'A strip or tile of the TIFF holds more bytes than its header says.',
    });
  });

  it('expands LZW like libtiff', async () => {
    const raw = Buffer.from(Uint8Array.from({ length: 300 * 200 }, (_, i) => (i * i * 7) % 61));
    const file = await sharp(raw, { raw: { width: 300, height: 200, channels: 1 } })
      .toColourspace('b-w')
      .tiff({ compression: 'lzw', predictor: 'none' })
      .toBuffer();
    const header = await tiffHeader(file);
    const [offsets, lengths] = await Promise.all(
      (['StripOffsets', 'StripByteCounts'] as const).map((tag) => header!.image.fileDirectory.loadValue(tag)),
    );
    const strips = Array.from(offsets as ArrayLike<number>, (offset, i) =>
      expandLzw(file.subarray(offset, offset + (lengths as ArrayLike<number>)[i]!), raw.length),
    );
    expect(Buffer.concat(strips).equals(raw)).toBe(true);
  });

  it('counts strips, samples and pixels together', async () => {
    const wide = grey(64, 3, { 256: [10_000], 257: [10_000], 258: [64, 64, 64], 262: [2], 277: [3], 278: [10_000] });
    const image = openImage(opening(tiffBytes(wide, [new Uint8Array(8)])));
    await expect(image.then((opened) => opened.pixels(384))).rejects.toMatchObject({ reason: 'too_large' });
  });

  it('reports truncated files as damaged', async () => {
    const whole = tiffBytes(grey(32, 3), [bytesOf(floats)]);
    await expect(shown(whole.subarray(0, 4000))).rejects.toMatchObject({ reason: 'unreadable' });
  });
});
