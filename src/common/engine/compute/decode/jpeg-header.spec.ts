import sharp from 'sharp';
import { jpegHeader } from './plain-jpeg';

const segment = (...parts: readonly (string | Buffer)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
};
const exif = (orientation: number): Buffer =>
  segment('Exif\0\0', 'II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0', Buffer.from([orientation, 0, 0, 0]));
const xmp = (body: string): Buffer => segment('http://ns.adobe.com/xap/1.0/\0', `<x:xmpmeta>${body}</x:xmpmeta>`);

async function jpegWith(...segments: readonly Buffer[]): Promise<Buffer> {
  const bytes = await sharp({ create: { width: 96, height: 64, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  return Buffer.concat([bytes.subarray(0, 2), ...segments, bytes.subarray(2)]);
}

describe('jpegHeader', () => {
  it.each([
    ['EXIF alone', [exif(6)], 6, undefined],
    ['EXIF followed by XMP', [exif(6), xmp('tiff:Make="x"')], 6, undefined],
    ['XMP followed by EXIF', [xmp('tiff:Orientation="3"'), exif(8)], 8, 3],
    ['two EXIF segments, of which the first counts', [exif(5), exif(1)], 5, undefined],
    ['an invalid orientation', [exif(9)], 1, undefined],
    ['XMP alone, in an attribute', [xmp("<a tiff:Orientation='7'/>")], undefined, 7],
    ['XMP alone, in an element', [xmp('<tiff:Orientation>5</tiff:Orientation>')], undefined, 5],
    ['XMP without a valid orientation', [xmp('tiff:Orientation="12"')], undefined, undefined],
    ['an extension of XMP', [segment('http://ns.adobe.com/xmp/extension/\0', 'x')], undefined, undefined],
    ['neither', [], undefined, undefined],
  ])('reads the orientation of %s', async (_, segments, exifOrientation, xmpOrientation) => {
    const header = jpegHeader(await jpegWith(...segments));
    expect(header).toEqual({ width: 96, height: 64, heldBytes: 0, exifOrientation, xmpOrientation });
  });

  it('returns the memory that a decoder of a progressive file needs', async () => {
    const file = await sharp({ create: { width: 96, height: 64, channels: 3, background: 'red' } })
      .jpeg({ progressive: true })
      .toBuffer();
    expect(jpegHeader(file)).toMatchObject({ heldBytes: 96 * 64 * 3 * 2 });
  });

  it('returns nothing for other formats', () => {
    expect(jpegHeader(Buffer.from('no picture'))).toBeUndefined();
    expect(jpegHeader(Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 40, 1, 2, 3, 4, 5]))).toBeUndefined();
  });
});
