import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import sharp from 'sharp';

const drawn = new Map<string, Promise<Buffer>>();

/** The bytes of a small picture of shapes, which only depend on the seed. */
export async function pictureBytes(seed: number, width = 160, height = 120): Promise<Buffer> {
  const name = `${seed} ${width} ${height}`;
  if (!drawn.has(name)) drawn.set(name, draw(seed, width, height));
  return Buffer.from(await drawn.get(name)!);
}

function draw(seed: number, width: number, height: number): Promise<Buffer> {
  const hue = (seed * 47) % 360;
  const shapes = Array.from({ length: 6 }, (_, at) => {
    const x = (seed * 31 + at * 53) % width;
    const y = (seed * 17 + at * 29) % height;
    return `<circle cx="${x}" cy="${y}" r="${8 + ((seed + at * 7) % 30)}" fill="hsl(${(hue + at * 60) % 360} 70% 45%)"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="hsl(${hue} 60% 70%)"/>${shapes.join('')}</svg>`;
  return sharp(Buffer.from(svg)).jpeg().toBuffer();
}

export async function writePicture(path: string, seed: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const bytes = await pictureBytes(seed);
  await (path.endsWith('.jpg') ? writeFile(path, bytes) : sharp(bytes).toFile(path));
}
