import sharp from 'sharp';
import { Scene } from './drawing';
import { Edit, Fault, Treatment } from './sample-plan';
import { SeededRandom } from './seeded-random';

const NOISE_LENGTH = 1 << 16;
const DARK_MEAN = 5;
const BRIGHT_MEAN = 238;
/** A badly exposed picture must not count as blurred. */
const BAD_EXPOSURE_GRAIN = 8;

/** Renders the scene as an image file in the format of the extension. */
export async function renderPicture(
  scene: Scene,
  treatment: Treatment,
  extension: string,
  seed: string,
): Promise<Buffer> {
  const random = new SeededRandom(`grain ${seed}`);
  const drawing = sharp(Buffer.from(scene.svg)).removeAlpha();
  if (treatment === 'blurred') drawing.blur(random.between(7, 11));
  const { data, info } = await drawing.raw().toBuffer({ resolveWithObject: true });
  if (treatment === 'dark' || treatment === 'bright') expose(data, treatment);
  if (treatment !== 'blurred')
    addGrain(data, info.channels, treatment === 'none' ? scene.grain : BAD_EXPOSURE_GRAIN, random);
  const picture = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  switch (extension.toLowerCase()) {
    case '.png':
      return picture.png({ compressionLevel: 6 }).toBuffer();
    case '.webp':
      return picture.webp({ quality: 86, effort: 1 }).toBuffer();
    default:
      return picture.jpeg({ quality: random.integer(88, 95) }).toBuffer();
  }
}

export async function editPicture(original: Buffer, edit: Edit, seed: string): Promise<Buffer> {
  const random = new SeededRandom(`edit ${seed}`);
  const { width, height } = await sharp(original).metadata();
  const picture = sharp(original);
  let quality = 88;
  switch (edit) {
    case 'resized':
      picture.resize(Math.round(width * random.between(0.6, 0.8)));
      break;
    case 'recompressed':
      quality = random.integer(32, 45);
      break;
    case 'brightened':
      picture.linear(random.between(1.08, 1.15), 4);
      break;
    case 'darkened':
      picture.linear(random.between(0.85, 0.92), 0);
      break;
    case 'cropped': {
      const [left, top] = [
        Math.round(width * random.between(0.01, 0.025)),
        Math.round(height * random.between(0.01, 0.025)),
      ];
      picture.extract({ left, top, width: width - 2 * left, height: height - 2 * top });
      break;
    }
  }
  return picture.jpeg({ quality }).toBuffer();
}

/** Bytes that no decoder accepts as an image, derived from a valid picture where possible. */
export function spoil(fault: Fault, picture: Buffer, random: SeededRandom): Buffer {
  switch (fault) {
    case 'truncated.jpg':
    case 'cut short.png':
      return picture.subarray(0, 240);
    case 'empty.jpg':
      return Buffer.alloc(0);
    case 'notes.jpg':
      return Buffer.from('Remember to ask for the pictures of the harbour.\n');
    case 'random bytes.webp':
      return Buffer.from(Array.from({ length: 4096 }, () => random.integer(0, 255)));
  }
}

function expose(data: Buffer, treatment: 'dark' | 'bright'): void {
  let sum = 0;
  for (const value of data) sum += value;
  const mean = sum / data.length;
  const dark = DARK_MEAN / Math.max(mean, 1);
  const bright = (255 - BRIGHT_MEAN) / Math.max(255 - mean, 1);
  for (let i = 0; i < data.length; i++) {
    const value = data[i] ?? 0;
    data[i] = treatment === 'dark' ? value * dark : 255 - (255 - value) * bright;
  }
}

function addGrain(data: Buffer, channels: number, deviation: number, random: SeededRandom): void {
  const noise = gaussianNoise();
  let at = random.integer(0, NOISE_LENGTH - 1);
  const step = random.integer(0, 500) * 2 + 1;
  for (let i = 0; i < data.length; i += channels) {
    at = (at + step) & (NOISE_LENGTH - 1);
    const by = (noise[at] ?? 0) * deviation;
    for (let channel = 0; channel < channels; channel++) {
      const value = (data[i + channel] ?? 0) + by;
      data[i + channel] = value < 0 ? 0 : value > 255 ? 255 : value;
    }
  }
}

let noiseTable: Float32Array | undefined;

function gaussianNoise(): Float32Array {
  if (noiseTable) return noiseTable;
  const random = new SeededRandom('film grain');
  noiseTable = Float32Array.from(
    { length: NOISE_LENGTH },
    () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next()),
  );
  return noiseTable;
}
