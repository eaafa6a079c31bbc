import openJpeg, { type J2kDecoder } from '@cornerstonejs/codec-openjpeg/decodewasmjs';
import { MediaRejected } from '../media-rejected';
import { checkDimensions } from './check-dimensions';
import { jp2Header } from './jp2-header';
import type { RawImage } from './decoded-image';

const codec = openJpeg;
let loaded: ReturnType<typeof openJpeg> | undefined;

export async function decodeJp2(bytes: Uint8Array): Promise<RawImage> {
  const header = jp2Header(bytes);
  checkDimensions(header.width, header.height);
  const decoder = new (await (loaded ??= codec())).J2KDecoder();
  try {
    decoder.getEncodedBuffer(bytes.length).set(bytes);
    decoder.decode();
    return eightBits(decoder, header.isYcc);
  } catch (error) {
    if (error instanceof MediaRejected) throw error;
    throw new MediaRejected('unreadable', 'The JPEG 2000 image is damaged.');
  } finally {
    decoder.delete();
  }
}

function eightBits(decoder: J2kDecoder, isYcc: boolean): RawImage {
  const { width, height, bitsPerSample, componentCount, isSigned } = decoder.getFrameInfo();
  if (componentCount < 1 || componentCount > 4) {
    throw new MediaRejected('unsupported', `The JPEG 2000 image has ${componentCount} components.`);
  }
  const channels = componentCount as RawImage['channels'];
  const decoded = decoder.getDecodedBuffer();
  const count = width * height * channels;
  const data = new Uint8Array(count);
  if (decoded.byteLength < count) throw new MediaRejected('unreadable', 'The JPEG 2000 image is damaged.');
  const wide = bitsPerSample > 8;
  const samples = wide ? new Uint16Array(decoded.slice().buffer, 0, count) : decoded;
  const offset = isSigned ? 1 << (bitsPerSample - 1) : 0;
  const scale = 255 / ((1 << bitsPerSample) - 1);
  const mask = wide ? 0xffff : 0xff;
  for (let i = 0; i < count; i++) data[i] = Math.min(255, ((samples[i]! + offset) & mask) * scale + 0.5);
  if (isYcc && channels >= 3) yccToRgb(data, channels);
  return { data, width, height, channels };
}

function yccToRgb(data: Uint8Array, channels: number): void {
  const clamp = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));
  for (let i = 0; i < data.length; i += channels) {
    const luma = data[i]!;
    const blue = data[i + 1]! - 128;
    const red = data[i + 2]! - 128;
    data[i] = clamp(luma + 1.402 * red);
    data[i + 1] = clamp(luma - 0.344136 * blue - 0.714136 * red);
    data[i + 2] = clamp(luma + 1.772 * blue);
  }
}
