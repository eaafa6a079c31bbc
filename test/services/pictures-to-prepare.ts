import sharp, { type Sharp } from 'sharp';
import { renderPicture, SAMPLE_FAMILIES, SeededRandom } from '#sample';

const [WIDTH, HEIGHT] = [1200, 800];
const TURNED_RIGHT = 6;

type PixelAt = (x: number, y: number, channel: number) => number;

function pixels(width: number, height: number, at: PixelAt): Sharp {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, index) => {
    const pixel = Math.floor(index / 3);
    return at(pixel % width, Math.floor(pixel / width), index % 3);
  });
  return sharp(data, { raw: { width, height, channels: 3 } });
}

const LANDSCAPE = { width: WIDTH, height: HEIGHT };

async function drawn(name: string, size = LANDSCAPE): Promise<Sharp> {
  const family = SAMPLE_FAMILIES.find((each) => each.name === name)!;
  const picture = await renderPicture(family.draw(new SeededRandom(name)), 'none', '.png', name);
  return sharp(await sharp(picture).resize(size).png().toBuffer());
}

/** Opaque in the middle, and transparent at the edges. */
const VIGNETTE = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><defs><radialGradient id="fade">` +
    '<stop offset="0.5" stop-color="#fff"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs>' +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#fade)"/></svg>`,
);

/** Files of pictures of different kinds by their names. */
export async function picturesToPrepare(): Promise<ReadonlyMap<string, Buffer>> {
  const random = new SeededRandom('noise');
  const files: readonly (readonly [string, Sharp])[] = [
    ['gradient.png', pixels(WIDTH, HEIGHT, (x, y, c) => [x / WIDTH, y / HEIGHT, 1 - x / WIDTH][c]! * 255).png()],
    ['noise.png', pixels(640, 640, () => random.integer(0, 255)).png()],
    ['landscape.jpg', (await drawn('fruit')).jpeg({ quality: 92 })],
    ['portrait.jpg', (await drawn('clouds', { width: HEIGHT, height: WIDTH })).jpeg({ quality: 92 })],
    ['wide.jpg', (await drawn('sunset', { width: 1600, height: 900 })).jpeg({ quality: 92 })],
    ['small.png', (await drawn('city-night', { width: 200, height: 150 })).png()],
    ['turned.jpg', (await drawn('balloons')).withMetadata({ orientation: TURNED_RIGHT }).jpeg({ quality: 92 })],
    ['grey.png', (await drawn('fruit')).toColourspace('b-w').png()],
    [
      'transparent.webp',
      (await drawn('gradient-orbs')).composite([{ input: VIGNETTE, blend: 'dest-in' }]).webp({ lossless: true }),
    ],
  ];
  return new Map(await Promise.all(files.map(async ([name, file]) => [name, await file.toBuffer()] as const)));
}
