import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { modelOf, readManifest } from '../../src/common/engine/models/model-folder';
import { MODEL_RUNTIMES } from '../../src/common/engine/models/model-runtimes';
import type { PictureModel, Pixels } from '../../src/common/engine/models/picture-model';
import type { Random } from '../../test/support/random';
import { editDistance } from './edit-distance';

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Drawn {
  readonly lines: readonly string[];
  readonly svg: string;
}

/** The lines of text in a picture. */
export type Reader = (picture: Pixels) => Promise<string[]>;

/** Runs with the model of TEXT_RECOGNITION in the folder that MODEL names. */
export async function withReader(run: (read: Reader, longestSide: number) => Promise<void>): Promise<void> {
  const folder = process.env['MODEL'];
  if (folder === undefined) throw new Error('MODEL names no model folder of TEXT_RECOGNITION');
  const model = await modelOf(folder, (await readManifest(folder)) ?? '', MODEL_RUNTIMES);
  const opened = (await model.open()) as PictureModel<'TEXT_RECOGNITION'>;
  if (opened.runsIn !== 'child') throw new Error(`The model ${model.manifest.id} runs at a server`);
  try {
    await run(
      async (picture) => (await opened.apply([picture], {}))[0]!.lines.map(({ text }) => text),
      opened.longestSide,
    );
  } finally {
    await opened.close();
  }
}

export const escaped = (text: string): string => text.replace(/&/gu, '&amp;').replace(/</gu, '&lt;');

/** Words of the documentation, and numbers. */
export async function vocabulary(): Promise<string[]> {
  const text = await readFile(join(process.cwd(), 'docs', 'architecture.md'), 'utf8');
  return [...new Set(text.match(/\b[A-Za-z]{1,14}[.,:;]?(?=\s)/gu))];
}

export function lineOf(words: readonly string[], random: Random, characters: number): string {
  let line = '';
  for (;;) {
    const word = random.next() < 0.1 ? String(random.integer(10_000)) : random.pick(words);
    if (line.length + word.length + 1 > characters) return line;
    line = line === '' ? word : `${line} ${word}`;
  }
}

export const svgOf = ({ width, height }: Size, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`;

export async function pixelsOf(picture: sharp.Sharp, longestSide: number): Promise<Pixels> {
  const { data, info } = await picture
    .flatten({ background: '#fff' })
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** The share of characters that have to be changed, inserted or removed. */
export class ErrorRate {
  private errors = 0;
  private characters = 0;

  add(truth: readonly string[], read: readonly string[]): number {
    const [wanted, found] = [truth.join(' '), read.join(' ')];
    const errors = editDistance(wanted, found);
    this.errors += errors;
    this.characters += wanted.length;
    return errors / wanted.length;
  }

  get value(): number {
    return this.errors / this.characters;
  }
}
