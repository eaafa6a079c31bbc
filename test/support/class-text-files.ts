import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const CLASS_TEXTS = {
  words: 'words.json',
  classes: 'class-vectors.bin',
  calibration: { unrelated: 0.1, matching: 0.6 },
} as const;

export interface TinyClasses {
  readonly classes: readonly string[];
  readonly words: Readonly<Record<string, readonly number[]>>;
  readonly vectors: readonly (readonly number[])[];
}

/** Writes the files of an image model's text side. */
export async function writeClassTexts(folder: string, { classes, words, vectors }: TinyClasses): Promise<void> {
  await writeFile(join(folder, CLASS_TEXTS.words), JSON.stringify({ classes, words }));
  await writeFile(join(folder, CLASS_TEXTS.classes), new Uint8Array(Float32Array.from(vectors.flat()).buffer));
}
