import sharp, { type JpegOptions, type Sharp } from 'sharp';
import { pictureBytes } from '../../../../../test/support/pictures';
import { plainJpeg } from './plain-jpeg';

const SIDE = 200;
const AFTER_START = 2;

const again = async (how: (picture: Sharp) => Sharp): Promise<Buffer> => how(sharp(await pictureBytes(1))).toBuffer();
const jpeg = (options: JpegOptions): Promise<Buffer> => again((picture) => picture.jpeg(options));
const pixelsOf = (bytes: Uint8Array): Promise<Buffer> => sharp(bytes).raw().toBuffer();

function segment(marker: number, ...parts: readonly (string | readonly number[])[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
  return Buffer.concat([Buffer.from([0xff, marker, 0, body.length + 2]), body]);
}

async function pictureWith(...segments: readonly Buffer[]): Promise<Buffer> {
  const bytes = await pictureBytes(1);
  return Buffer.concat([bytes.subarray(0, AFTER_START), ...segments, bytes.subarray(AFTER_START)]);
}

const adobe = (transform: number): Buffer => segment(0xee, 'Adobe', [0, 100, 0, 0, 0, 0, transform]);

describe('plainJpeg', () => {
  it.each<[string, () => Promise<Buffer>]>([
    ['a baseline file', () => pictureBytes(1)],
    ['a progressive file', () => jpeg({ progressive: true })],
    ['a file without subsampling', () => jpeg({ chromaSubsampling: '4:4:4' })],
    ['a file of Photoshop', () => pictureWith(adobe(1))],
    [
      'a file with EXIF of an upright picture',
      () => again((picture) => picture.withExif({ IFD0: { Artist: 'somebody' } })),
    ],
    [
      'a file with another picture behind it',
      async () => Buffer.concat([await pictureBytes(1), await pictureBytes(2)]),
    ],
  ])('keeps the pixels of %s', async (_, make) => {
    const bytes = await make();
    const plain = plainJpeg(bytes, SIDE)!;
    expect(plain).toMatchObject({ width: 160, height: 120 });
    expect(await pixelsOf(plain.jpeg)).toEqual(await pixelsOf(bytes));
  });

  it('omits metadata and data after the picture', async () => {
    const secret = segment(0xe1, 'Exif\0\0', 'where it was taken');
    const comment = segment(0xfe, 'where it was taken');
    const bytes = Buffer.concat([await pictureWith(secret, comment), Buffer.from('where it was taken')]);
    const plain = Buffer.from(plainJpeg(bytes, SIDE)!.jpeg);
    expect(plain.includes('taken')).toBe(false);
    expect(plain).toEqual(Buffer.from(plainJpeg(await pictureBytes(1), SIDE)!.jpeg));
  });

  it.each<[string, () => Promise<Buffer>]>([
    ['a turned picture', () => again((picture) => picture.withMetadata({ orientation: 6 }))],
    ['a colour profile', () => again((picture) => picture.withIccProfile('p3'))],
    ['grey pixels', () => again((picture) => picture.toColourspace('b-w').jpeg())],
    ['inks', () => again((picture) => picture.toColourspace('cmyk').jpeg())],
    ['colours that are not YCbCr', () => pictureWith(adobe(0))],
    ['another format', () => again((picture) => picture.png())],
    ['no end', async () => (await pictureBytes(1)).subarray(0, -2)],
    ['a segment that is longer than the file', async () => (await pictureBytes(1)).subarray(0, 300)],
    ['more bytes than it would be encoded with', () => jpeg({ quality: 100, chromaSubsampling: '4:4:4' })],
  ])('does not accept %s', async (_, make) => {
    expect(plainJpeg(await make(), SIDE)).toBeUndefined();
  });

  it('does not accept a picture above the longest side', async () => {
    expect(plainJpeg(await pictureBytes(1), 160)).toBeDefined();
    expect(plainJpeg(await pictureBytes(1), 159)).toBeUndefined();
  });

  it('keeps restarts in the compressed data', async () => {
    const bytes = Buffer.from(await pictureBytes(1));
    const scan = bytes.indexOf(Buffer.from([0xff, 0xda]));
    const at = scan + 40;
    const restarted = Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0xd3]), bytes.subarray(at)]);
    expect(Buffer.from(plainJpeg(restarted, SIDE)!.jpeg).subarray(-40)).toEqual(restarted.subarray(-40));
  });
});
