import { decodeBmp } from './decode-bmp';

interface Given {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly compression?: number;
  readonly palette?: readonly (readonly [number, number, number])[];
  readonly masks?: readonly number[];
  readonly pixels: readonly number[];
}

/** Palette entries as red, green, blue. */
function bmp({ width, height, bits, compression = 0, palette = [], masks = [], pixels }: Given): Buffer {
  const offset = 54 + masks.length * 4 + palette.length * 4;
  const head = Buffer.alloc(offset);
  head.write('BM', 0, 'latin1');
  head.writeUInt32LE(offset, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(bits, 28);
  head.writeUInt32LE(compression, 30);
  head.writeUInt32LE(palette.length, 46);
  masks.forEach((mask, i) => head.writeUInt32LE(mask, 54 + i * 4));
  palette.forEach(([red, green, blue], i) => head.set([blue, green, red, 0], 54 + masks.length * 4 + i * 4));
  return Buffer.concat([head, Buffer.from(pixels)]);
}

const PALETTE = [
  [1, 2, 3],
  [40, 50, 60],
  [7, 8, 9],
] as const;
const repeated = (times: number, ...bytes: number[]): number[] => Array.from({ length: times }, () => bytes).flat();
const pixel = (data: Uint8Array, width: number, x: number, y: number, channels = 3): number[] =>
  Array.from(data.subarray((y * width + x) * channels, (y * width + x + 1) * channels));

describe('decodeBmp', () => {
  it('reads one bit per pixel, bottom-up', () => {
    const lines = [...repeated(9, 0, 0, 0, 0), 0b10000000, 0b01000000, 0, 0];
    const { data } = decodeBmp(bmp({ width: 10, height: 10, bits: 1, palette: PALETTE.slice(0, 2), pixels: lines }));
    expect(pixel(data, 10, 0, 0)).toEqual([40, 50, 60]);
    expect(pixel(data, 10, 9, 0)).toEqual([40, 50, 60]);
    expect(pixel(data, 10, 1, 0)).toEqual([1, 2, 3]);
    expect(pixel(data, 10, 0, 9)).toEqual([1, 2, 3]);
  });

  it('reads four bits per pixel', () => {
    const lines = repeated(10, 0x01, 0x20, 0, 0, 0x02, 0, 0, 0);
    const { data } = decodeBmp(bmp({ width: 10, height: 10, bits: 4, palette: PALETTE, pixels: lines }));
    expect(pixel(data, 10, 1, 5)).toEqual([40, 50, 60]);
    expect(pixel(data, 10, 2, 5)).toEqual([7, 8, 9]);
    expect(pixel(data, 10, 9, 5)).toEqual([7, 8, 9]);
  });

  it('reads 8-bit run lengths: encoded, absolute and delta', () => {
    const runs = [...[10, 1, 0, 0], ...[0, 3, 2, 1, 2, 0], ...[0, 2, 1, 1], ...[2, 2], ...[0, 1]];
    const { data } = decodeBmp(bmp({ width: 10, height: 10, bits: 8, compression: 1, palette: PALETTE, pixels: runs }));
    expect(pixel(data, 10, 9, 9)).toEqual([40, 50, 60]);
    expect([0, 1, 2, 3].map((x) => pixel(data, 10, x, 8)[0])).toEqual([7, 40, 7, 1]);
    expect([3, 4, 5, 6].map((x) => pixel(data, 10, x, 7)[0])).toEqual([1, 7, 7, 1]);
  });

  it('reads 4-bit run lengths', () => {
    const runs = [5, 0x12, 0, 3, 0x21, 0x20, 0, 1];
    const { data } = decodeBmp(bmp({ width: 10, height: 10, bits: 4, compression: 2, palette: PALETTE, pixels: runs }));
    expect(Array.from({ length: 9 }, (_, x) => pixel(data, 10, x, 9)[0])).toEqual([40, 7, 40, 7, 40, 7, 40, 7, 1]);
  });

  it('finds the pixels after the palette when the header gives a wrong offset', () => {
    const lines = repeated(10, ...repeated(10, 1), 0, 0);
    const file = bmp({ width: 10, height: 10, bits: 8, palette: PALETTE, pixels: lines });
    file.writeUInt32LE(54, 10);
    expect(pixel(decodeBmp(file).data, 10, 9, 9)).toEqual([40, 50, 60]);
  });

  it('reads 16 bits per pixel with custom masks', () => {
    const masks = [0xf800, 0x07e0, 0x001f];
    const lines = repeated(100, 0x1f, 0xf8);
    const { data } = decodeBmp(bmp({ width: 10, height: 10, bits: 16, compression: 3, masks, pixels: lines }));
    expect(pixel(data, 10, 3, 3)).toEqual([255, 0, 255]);
  });

  it('reads alpha if there is a mask for it', () => {
    const masks = [0xff0000, 0xff00, 0xff, 0xff000000];
    const lines = repeated(100, 3, 2, 1, 128);
    const { data, channels } = decodeBmp(
      bmp({ width: 10, height: -10, bits: 32, compression: 6, masks, pixels: lines }),
    );
    expect(channels).toBe(4);
    expect(pixel(data, 10, 0, 0, 4)).toEqual([1, 2, 3, 128]);
  });

  it('rejects truncated, too large and unsupported files', () => {
    const cases: readonly (readonly [Given, string])[] = [
      [{ width: 20, height: 20, bits: 24, pixels: [1, 2, 3] }, 'truncated'],
      [{ width: 20_000, height: 20_000, bits: 24, pixels: [] }, 'megapixels'],
      [{ width: 20, height: 20, bits: 7, pixels: [] }, '7 bits per pixel'],
      [{ width: 20, height: 20, bits: 24, compression: 4, pixels: [] }, 'compression 4'],
      [{ width: 20, height: 20, bits: 8, compression: 1, palette: PALETTE, pixels: [9, 1] }, 'truncated'],
    ];
    for (const [given, message] of cases) expect(() => decodeBmp(bmp(given))).toThrow(message);
  });
});
