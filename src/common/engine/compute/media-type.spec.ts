import { mediaTypeOf } from './media-type';

const typeOf = (text: string): unknown => mediaTypeOf(Buffer.from(text.padEnd(32, '\0'), 'latin1'));

describe('mediaTypeOf', () => {
  it.each([
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['GIF89a', 'image/gif'],
    ['MM\0*', 'image/tiff'],
    ['RIFF\x10\0\0\0WEBPVP8 ', 'image/webp'],
    ['\0\0\0\x18ftypheic', 'image/heic'],
    ['\0\0\0\x18ftypmif1', 'image/heif'],
    ['\xff\x4f\xff\x51', 'image/jp2'],
    ['\0\0\0\x18ftypisom', 'video/mp4'],
    ['\0\0\0\x14ftypqt  ', 'video/quicktime'],
    ['\0\0\0\x18ftypM4V ', 'video/x-m4v'],
    ['\0\0\0\x08moov', 'video/quicktime'],
    ['\0\0\0\x01mdat\0\0\0\0\x01', 'video/quicktime'],
    ['\0\0\0\0mdat', 'video/quicktime'],
    ['RIFF\x10\0\0\0AVI LIST', 'video/x-msvideo'],
    ['\x1aE\xdf\xa3\x9fB\x86webm', 'video/webm'],
    ['\x1aE\xdf\xa3\x9fB\x86matroska', 'video/x-matroska'],
    ['0&\xb2u\x8ef\xcf\x11', 'video/x-ms-wmv'],
    ['FLV\x01', 'video/x-flv'],
    ['DHAV', 'video/x-dav'],
  ])('recognises %j', (head, mimeType) => {
    expect(typeOf(head)).toMatchObject({ mimeType });
  });

  it.each([
    '<svg xmlns',
    '%PDF-1.7',
    '\0\0\0\x18ftypavif',
    'RIFF\x10\0\0\0WAVE',
    'BMW is no bitmap',
    '#EXTM3U',
    '',
    '<!--free-->',
    '\0\0\0\x07moov',
    'fileftypmp42',
  ])('refuses %j', (head) => {
    expect(typeOf(head)).toBeUndefined();
  });
});
