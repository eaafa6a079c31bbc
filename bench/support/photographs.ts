import sharp, { type Sharp } from 'sharp';
import { Random } from '../../test/support/random';
import { familyOf, paintScene } from './scenes';

export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export const PER_FAMILY = 5;

/** Photograph number `index`: one of the PER_FAMILY look-alikes of its family. */
export function photograph(seed: number, index: number, width = 384, height = 256): Pixels {
  const family = familyOf(seed, Math.floor(index / PER_FAMILY));
  const random = new Random(seed, index, 2);
  const { pixels } = paintScene(family, random, width, height);
  return withGrain({ data: pixels, width, height }, random.between(1, 5), random);
}

const NORMALS = Float32Array.from(
  { length: 1 << 16 },
  (
    (random) => () =>
      random.normal()
  )(new Random(0)),
);

function withGrain(
  photo: { data: ArrayLike<number>; width: number; height: number },
  strength: number,
  random: Random,
): Pixels {
  const data = new Uint8ClampedArray(photo.data.length);
  let at = random.integer(NORMALS.length);
  for (let i = 0; i < data.length; i++) {
    at = (at + 1 + ((i * 2654435761) >>> 28)) & 0xffff;
    data[i] = photo.data[i]! + strength * NORMALS[at]!;
  }
  return { ...photo, data: new Uint8Array(data.buffer) };
}

export const asSharp = ({ data, width, height }: Pixels): Sharp => sharp(data, { raw: { width, height, channels: 3 } });

function cropped(photo: Pixels, share: number, random: Random): Sharp {
  const width = Math.round(photo.width * share);
  const height = Math.round(photo.height * share);
  const left = random.integer(photo.width - width + 1);
  const top = random.integer(photo.height - height + 1);
  return asSharp(photo).extract({ left, top, width, height });
}

type Distortion = (photo: Pixels, random: Random) => Promise<Sharp> | Sharp;

/** Common changes of copies. */
export const DISTORTIONS: Readonly<Record<string, Distortion>> = {
  'crop 5 %': (photo, random) => cropped(photo, 0.95, random),
  'crop 10 %': (photo, random) => cropped(photo, 0.9, random),
  'JPEG q40': async (photo) => sharp(await asSharp(photo).jpeg({ quality: 40 }).toBuffer()),
  resize: (photo, random) => asSharp(photo).resize(Math.round(photo.width * random.between(0.4, 0.7))),
  'brightness ±20 %': (photo, random) => asSharp(photo).linear(random.pick([0.8, 1.2]), 0),
  blur: (photo, random) => asSharp(photo).blur(random.between(1, 2)),
  noise: (photo, random) => asSharp(withGrain(photo, random.between(8, 16), random)),
  'small rotation': async (photo, random) => {
    const degrees = random.pick([-1, 1]) * random.between(1, 3);
    const turned = await asSharp(photo).rotate(degrees).png({ compressionLevel: 0 }).toBuffer();
    const [width, height] = [Math.round(photo.width * 0.93), Math.round(photo.height * 0.93)];
    const meta = await sharp(turned).metadata();
    const [left, top] = [Math.floor((meta.width - width) / 2), Math.floor((meta.height - height) / 2)];
    return sharp(turned).extract({ left, top, width, height });
  },
  'rotation 5°, corners black': async (photo, random) => {
    const degrees = random.pick([-1, 1]) * random.between(4, 6);
    const { data, info } = await asSharp(photo)
      .rotate(degrees)
      .png({ compressionLevel: 0 })
      .toBuffer({ resolveWithObject: true });
    const [left, top] = [Math.floor((info.width - photo.width) / 2), Math.floor((info.height - photo.height) / 2)];
    return sharp(data).extract({ left, top, width: photo.width, height: photo.height });
  },
  'brightness +20 %, colour': (photo) => asSharp(photo).modulate({ brightness: 1.2, saturation: 1.2 }),
  mirror: (photo) => asSharp(photo).flop(),
  overlay: (photo, random) => {
    const [width, height] = [Math.round(photo.width * 0.35), Math.round(photo.height * 0.12)];
    const tone = random.pick(['#ffffff', '#000000', '#c02020']);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${tone}" opacity="0.8"/><rect x="8%" y="35%" width="70%" height="25%" fill="#808080"/></svg>`;
    const left = random.integer(photo.width - width);
    const top = random.pick([0.03, 0.85]) * photo.height;
    return asSharp(photo).composite([{ input: Buffer.from(svg), left, top: Math.round(top) }]);
  },
};

export async function distort(photo: Pixels, name: string, random: Random): Promise<Buffer> {
  const changed = await DISTORTIONS[name]!(photo, random);
  return changed.removeAlpha().jpeg({ quality: 88 }).toBuffer();
}
