import { MediaRejected } from '../media-rejected';

export interface Jp2Header {
  readonly width: number;
  readonly height: number;
  readonly isYcc: boolean;
}

const SIZE_MARKER = 0xff51;
const SYCC = 18;

/** Of a JP2 file or of a bare codestream. */
export function jp2Header(bytes: Uint8Array): Jp2Header {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = bytes.length >= 4 && view.getUint32(0) === 0xff4fff51 ? 0 : codestreamStart(view);
  if (start === undefined || start + 24 > bytes.length || view.getUint16(start + 2) !== SIZE_MARKER) {
    throw new MediaRejected('unreadable', 'The JPEG 2000 file is damaged or cut short.');
  }
  const at = start + 8;
  return {
    width: view.getUint32(at) - view.getUint32(at + 8),
    height: view.getUint32(at + 4) - view.getUint32(at + 12),
    isYcc: start > 0 && isYcc(view, start),
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

/** Looks for an enumerated colour space among the boxes before the codestream. */
function isYcc(view: DataView, end: number): boolean {
  for (let at = 0; at + 15 <= end; at++) {
    if (view.getUint32(at) === 0x636f6c72 && view.getUint8(at + 4) === 1) return view.getUint32(at + 7) === SYCC;
  }
  return false;
}
