export type ImageFormat = 'png' | 'jpeg' | 'gif' | 'tiff' | 'webp' | 'heif' | 'bmp' | 'jp2';

/** The names of the demuxers of ffmpeg that read videos. */
export const CONTAINERS = ['mov', 'avi', 'matroska', 'asf', 'flv', 'dhav'] as const;

export type Container = (typeof CONTAINERS)[number];

export type MediaType =
  | { readonly kind: 'IMAGE'; readonly format: ImageFormat; readonly mimeType: string }
  | { readonly kind: 'VIDEO'; readonly container: Container; readonly mimeType: string };

/** The number of leading bytes that `mediaTypeOf` examines. */
export const SIGNATURE_BYTES = 4096;

const image = (format: ImageFormat, mimeType = `image/${format}`): MediaType => ({ kind: 'IMAGE', format, mimeType });
const video = (container: Container, mimeType: string): MediaType => ({ kind: 'VIDEO', container, mimeType });

const QUICKTIME = video('mov', 'video/quicktime');

const SIGNATURES: readonly (readonly [bytes: string, type: MediaType])[] = [
  ['\x89PNG\r\n\x1a\n', image('png')],
  ['\xff\xd8\xff', image('jpeg')],
  ['GIF87a', image('gif')],
  ['GIF89a', image('gif')],
  ['II*\0', image('tiff')],
  ['MM\0*', image('tiff')],
  ['II+\0', image('tiff')],
  ['MM\0+', image('tiff')],
  ['\0\0\0\x0cjP  \r\n\x87\n', image('jp2')],
  ['\xff\x4f\xff\x51', image('jp2')],
  ['0&\xb2u\x8ef\xcf\x11', video('asf', 'video/x-ms-wmv')],
  ['FLV\x01', video('flv', 'video/x-flv')],
  ['DHAV', video('dhav', 'video/x-dav')],
];

const HEIF_BRANDS: Readonly<Record<string, string>> = {
  heic: 'image/heic',
  heix: 'image/heic',
  heim: 'image/heic',
  heis: 'image/heic',
  hevc: 'image/heic',
  hevx: 'image/heic',
  mif1: 'image/heif',
  msf1: 'image/heif',
};

const BOX_BYTES = 8;
/** The smallest 32-bit number whose first byte is a printable character. */
const FIRST_TEXT = 0x2000_0000;

/** Unsupported kinds of pictures that are recognised by their brand. */
const REFUSED_BRANDS: Readonly<Record<string, string>> = {
  avif: 'an AVIF image',
  avis: 'an AVIF sequence',
  'crx ': 'a raw image of a Canon camera',
};
const ANY_HEIF: readonly string[] = ['mif1', 'msf1'];

/** The media type by content, regardless of the file name; undefined if unsupported. */
export function mediaTypeOf(head: Uint8Array): MediaType | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, SIGNATURE_BYTES)).toString('latin1');
  const found = SIGNATURES.find(([bytes]) => text.startsWith(bytes));
  if (found) return found[1];
  if (text.startsWith('RIFF')) return riffType(text.slice(8, 12));
  if (text.startsWith('\x1aE\xdf\xa3'))
    return video('matroska', text.includes('webm') ? 'video/webm' : 'video/x-matroska');
  if (text.startsWith('BM') && isBmpHeader(head)) return image('bmp');
  return text.length >= BOX_BYTES ? typeOfBox(text.slice(4, 8), head, text) : undefined;
}

/** QuickTime, MP4 and HEIF start with the size and the name of a box. */
function typeOfBox(name: string, head: Uint8Array, text: string): MediaType | undefined {
  const size = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(0);
  if (name === 'mdat' && (size <= 1 || size >= BOX_BYTES)) return QUICKTIME;
  // Text before the name, such as the start of a comment, is not a size.
  if (size < BOX_BYTES || size >= FIRST_TEXT) return undefined;
  if (name === 'ftyp') return brandType(text, size);
  return ['moov', 'wide', 'free', 'skip'].includes(name) ? QUICKTIME : undefined;
}

function riffType(form: string): MediaType | undefined {
  if (form === 'WEBP') return image('webp');
  return form === 'AVI ' ? video('avi', 'video/x-msvideo') : undefined;
}

const isBmpHeader = (head: Uint8Array): boolean => [12, 40, 52, 56, 64, 108, 124].includes(head[14] ?? 0);

function brandType(text: string, boxBytes: number): MediaType | undefined {
  if (refusedBrand(text, boxBytes) !== undefined) return undefined;
  const brand = text.slice(8, 12);
  const heif = HEIF_BRANDS[brand];
  if (heif !== undefined) return image('heif', heif);
  if (brand === 'qt  ') return QUICKTIME;
  return video('mov', brand.startsWith('M4V') ? 'video/x-m4v' : 'video/mp4');
}

/** A HEIF file with a generic brand names its codec among the compatible brands. */
function refusedBrand(text: string, boxBytes: number): string | undefined {
  const brand = text.slice(8, 12);
  if (!ANY_HEIF.includes(brand)) return REFUSED_BRANDS[brand];
  const compatible = text.slice(16, boxBytes).match(/.{4}/gs) ?? [];
  if (compatible.some((each) => HEIF_BRANDS[each] === 'image/heic')) return undefined;
  const refused = compatible.find((each) => REFUSED_BRANDS[each] !== undefined);
  return refused && REFUSED_BRANDS[refused];
}

/** The name of a known format that is not supported. */
export function unsupportedName(head: Uint8Array): string | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, SIGNATURE_BYTES));
  const text = bytes.toString('latin1');
  return text.slice(4, 8) === 'ftyp' ? refusedBrand(text, bytes.readUInt32BE(0)) : undefined;
}
