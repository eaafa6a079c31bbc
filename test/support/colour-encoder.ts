import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import sharp from 'sharp';
import type { StubFindings } from './stub-model-answers';

export const COLOURS = { red: [220, 30, 30], green: [30, 200, 40], blue: [40, 50, 220] } as const;
export type Colour = keyof typeof COLOURS;

/** The excess of each colour over grey. */
const beyondGrey = (channels: readonly number[]): number[] => {
  const mean = channels.reduce((sum, value) => sum + value, 0) / channels.length;
  return channels.map((value) => value - mean);
};

/** A model that recognises the colours of pictures and the names of colours in texts. */
export const COLOUR_ENCODER: Pick<StubFindings, 'embedding' | 'textEmbedding'> = {
  async embedding({ picture }) {
    const { channels } = await sharp(picture).stats();
    return beyondGrey(channels.slice(0, 3).map(({ mean }) => mean));
  },
  textEmbedding({ prompt }) {
    const named = (Object.keys(COLOURS) as Colour[]).find((colour) => prompt.includes(colour));
    return named === undefined ? [1, -1, 0] : beyondGrey(COLOURS[named]);
  },
};

/** Writes a picture of one colour with a few shapes, which depend on the seed. */
export async function writeColoured(path: string, colour: Colour, seed: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const shapes = Array.from(
    { length: 4 },
    (_, at) =>
      `<circle cx="${(seed * 37 + at * 41) % 160}" cy="${(seed * 23 + at * 31) % 120}" r="${8 + at}" fill="#${at % 2 === 0 ? 'eee' : '222'}"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120"><rect width="100%" height="100%" fill="rgb(${COLOURS[colour].join()})"/>${shapes.join('')}</svg>`;
  await writeFile(path, await sharp(Buffer.from(svg)).jpeg().toBuffer());
}
