import { checkDimensions, type OpenedImage } from './decoded-image';
import { decodeWithMagick, MAGICK_BYTES_PER_PIXEL } from './decode-with-magick';
import { openRaw } from './decode-with-sharp';
import { MediaRejected } from '../media-analysis';

interface Jp2Header {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  /** A codestream without the boxes of a JP2 file. */
  readonly isCodestream: boolean;
}

const SIZE_MARKER = 0xff51;

const BYTES_PER_COMPONENT = 4;

export function openJp2(bytes: Uint8Array): OpenedImage {
  const { width, height, isCodestream, components } = jp2Header(bytes);
  checkDimensions(width, height);
  const decodedBytes = width * height * (components * BYTES_PER_COMPONENT + MAGICK_BYTES_PER_PIXEL);
  // A bare codestream does not declare that the second of two components is alpha.
  const channels = components === 2 ? 'grey and alpha' : 'as told';
  return openRaw(
    { width, height, decodedBytes },
    () => decodeWithMagick(bytes, isCodestream ? 'J2K' : 'JP2', channels),
    false,
  );
}

/** Reads the header of a JP2 file or a bare codestream. */
function jp2Header(bytes: Uint8Array): Jp2Header {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = bytes.length >= 4 && view.getUint32(0) === 0xff4fff51 ? 0 : codestreamStart(view);
  if (start === undefined || start + 42 > bytes.length || view.getUint16(start + 2) !== SIZE_MARKER) {
    throw new MediaRejected('unreadable', 'The JPEG 2000 file is damaged or truncated.');
  }
  const at = start + 8;
  return {
    width: view.getUint32(at) - view.getUint32(at + 8),
    height: view.getUint32(at + 4) - view.getUint32(at + 12),
    components: view.getUint16(start + 40),
    isCodestream: start === 0,
  };
}

function codestreamStart(view: DataView): number | undefined {
  for (let at = 0; at + 8 <= view.byteLength;) {
    const length = view.getUint32(at);
    if (view.getUint32(at + 4) === 0x6a703263) return at + (length === 1 ? 16 : 8);
    if (length < 8) return undefined;
    at += length;
  }
  return undefined;
}
