import type libheif from 'libheif-js/wasm-bundle';
import { MediaRejected } from '../media-analysis';
import { checkDimensions, type OpenedImage, type RawImage } from './decoded-image';
import { openRaw } from './decode-with-sharp';
import { profileOf, type CodedColours } from './rgb-profile';

type Libheif = typeof libheif;

const RGB = 1;
const INTERLEAVED_RGB = 10;
const INTERLEAVED_RGBA = 11;
const INTERLEAVED = 10;
const ERROR_BYTES = 12;

class HeifError extends Error {}

/** The primary image of a HEIF file, in libheif's memory until it is closed. */
class HeifFile {
  /** Space for a returned error, followed by an output pointer. */
  private readonly answer: number;
  private readonly context: number;
  private bytes = 0;
  private handle = 0;

  constructor(private readonly lib: Libheif) {
    this.answer = lib._malloc(ERROR_BYTES + 4);
    this.context = lib._heif_context_alloc();
  }

  open(file: Uint8Array): void {
    this.bytes = this.lib._malloc(file.length);
    this.lib.HEAPU8.set(file, this.bytes);
    this.call((error) => this.lib._heif_context_read_from_memory(error, this.context, this.bytes, file.length, 0));
    this.handle = this.primaryImage();
  }

  get width(): number {
    return this.lib._heif_image_handle_get_width(this.handle);
  }

  get height(): number {
    return this.lib._heif_image_handle_get_height(this.handle);
  }

  get iccProfile(): Uint8Array | undefined {
    const size = this.lib._heif_image_handle_get_raw_color_profile_size(this.handle);
    if (size === 0) return undefined;
    const at = this.lib._malloc(size);
    try {
      this.call((error) => this.lib._heif_image_handle_get_raw_color_profile(error, this.handle, at));
      return this.lib.HEAPU8.slice(at, at + size);
    } finally {
      this.lib._free(at);
    }
  }

  get codedColours(): CodedColours | undefined {
    let at: number;
    try {
      at = this.ask((error, to) => this.lib._heif_image_handle_get_nclx_color_profile(error, this.handle, to));
    } catch (error) {
      if (error instanceof HeifError) return undefined;
      throw error;
    }
    const colours = { primaries: this.read(at + 4), transfer: this.read(at + 8) };
    this.lib._heif_nclx_color_profile_free(at);
    return colours;
  }

  /** Rotated and mirrored according to the file. */
  decode(): { data: Uint8Array; width: number; height: number; channels: 3 | 4 } {
    const { lib, handle } = this;
    const channels = lib._heif_image_handle_has_alpha_channel(handle) === 0 ? 3 : 4;
    const chroma = channels === 3 ? INTERLEAVED_RGB : INTERLEAVED_RGBA;
    const image = this.ask((error, to) => lib._heif_decode_image(error, handle, to, RGB, chroma, 0));
    try {
      const width = lib._heif_image_get_width(image, INTERLEAVED);
      const height = lib._heif_image_get_height(image, INTERLEAVED);
      const plane = lib._heif_image_get_plane_readonly(image, INTERLEAVED, this.answer);
      const stride = this.read(this.answer);
      const line = width * channels;
      const data = new Uint8Array(line * height);
      for (let y = 0; y < height; y++) {
        data.set(lib.HEAPU8.subarray(plane + y * stride, plane + y * stride + line), y * line);
      }
      return { data, width, height, channels };
    } finally {
      lib._heif_image_release(image);
    }
  }

  close(): void {
    if (this.handle !== 0) this.lib._heif_image_handle_release(this.handle);
    this.lib._heif_context_free(this.context);
    this.lib._free(this.bytes);
    this.lib._free(this.answer);
  }

  /** The first image if the file names no primary one, or one that does not exist. */
  private primaryImage(): number {
    const { lib, context } = this;
    const count = lib._heif_context_get_number_of_top_level_images(context);
    if (count === 0) throw new HeifError('It contains no image');
    const ids = lib._malloc(count * 4);
    try {
      lib._heif_context_get_list_of_top_level_image_IDs(context, ids, count);
      const open = (i: number): number =>
        this.ask((error, to) => lib._heif_context_get_image_handle(error, context, this.read(ids + i * 4), to));
      for (let i = 0; i < count; i++) {
        const handle = open(i);
        if (lib._heif_image_handle_is_primary_image(handle) !== 0) return handle;
        lib._heif_image_handle_release(handle);
      }
      return open(0);
    } finally {
      lib._free(ids);
    }
  }

  private ask(step: (error: number, to: number) => void): number {
    this.call((error) => step(error, this.answer + ERROR_BYTES));
    return this.read(this.answer + ERROR_BYTES);
  }

  private call(step: (error: number) => void): void {
    step(this.answer);
    if (this.read(this.answer) !== 0) throw new HeifError(this.textAt(this.read(this.answer + 8)));
  }

  private read(address: number): number {
    const { buffer } = this.lib.HEAPU8;
    return new DataView(buffer).getUint32(address, true);
  }

  private textAt(address: number): string {
    const { HEAPU8 } = this.lib;
    return Buffer.from(HEAPU8.subarray(address, HEAPU8.indexOf(0, address))).toString('utf8');
  }
}

/** Planes of at most two bytes per sample, and the picture in the memory of libheif and in JavaScript. */
const BYTES_PER_PIXEL = 14;

/** libheif applies rotation and mirroring itself, so the EXIF orientation must be ignored. */
export async function openHeif(bytes: Uint8Array, swapRedBlue: boolean): Promise<OpenedImage> {
  const size = await withHeif(bytes, ({ width, height }) => ({ width, height }));
  checkDimensions(size.width, size.height);
  const whole = { ...size, decodedBytes: size.width * size.height * BYTES_PER_PIXEL };
  return openRaw(whole, () => withHeif(bytes, decode), swapRedBlue);
}

function decode(file: HeifFile): RawImage {
  const { codedColours } = file;
  const iccProfile = file.iccProfile ?? (codedColours && profileOf(codedColours));
  return { ...file.decode(), iccProfile };
}

async function withHeif<T>(bytes: Uint8Array, work: (file: HeifFile) => T): Promise<T> {
  // Loaded on first use, because most folders contain no such file.
  const { default: libheif } = await import('libheif-js/wasm-bundle');
  const file = new HeifFile(libheif);
  try {
    file.open(bytes);
    return work(file);
  } catch (error) {
    if (!(error instanceof HeifError)) throw error;
    throw new MediaRejected('unreadable', `The HEIF image is damaged or uses an unsupported codec: ${error.message}.`);
  } finally {
    file.close();
  }
}
