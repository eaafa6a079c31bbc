import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderPicture, SAMPLE_FAMILIES, SeededRandom } from '#sample';

const FAMILIES = ['flowers', 'gradient-bands', 'stripes'];
const OF_EACH = 14;

const fileOf = (family: string, number: number): string => `${family} ${number}.jpg`;

/** Families have distinct drawings; one picture of each has the label of the next. */
export const SWAPPED = FAMILIES.map((family, at) => ({
  file: fileOf(family, 3 + at),
  right: family,
  wrong: FAMILIES[(at + 1) % FAMILIES.length]!,
}));
const labelOf = (family: string, file: string): string => SWAPPED.find((each) => each.file === file)?.wrong ?? family;

/** An object with a wrong label, in a picture whose label is right. */
export const WRONG_OBJECT = { file: fileOf('stripes', 8), right: 'stripes', wrong: 'flowers' };

async function draw(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of FAMILIES) {
    const family = SAMPLE_FAMILIES.find((each) => each.name === name)!;
    for (let number = 0; number < OF_EACH; number++) {
      const file = fileOf(name, number);
      const scene = family.draw(new SeededRandom(`judged ${file}`));
      await writeFile(join(folder, file), await renderPicture(scene, 'none', '.jpg', file));
    }
  }
}

async function label(folder: string): Promise<void> {
  const lines = FAMILIES.flatMap((family) =>
    Array.from({ length: OF_EACH }, (_, number) => {
      const file = fileOf(family, number);
      return `${file},"['${labelOf(family, file)}']"\n`;
    }),
  );
  await writeFile(join(folder, 'image_annotations.csv'), `filename,label\n${lines.join('')}`);
  const boxes = FAMILIES.flatMap((family) =>
    Array.from({ length: OF_EACH }, (_, number) => {
      const file = fileOf(family, number);
      return `${file},10,10,300,250,${file === WRONG_OBJECT.file ? WRONG_OBJECT.wrong : family}\n`;
    }),
  );
  await writeFile(join(folder, 'object_annotations.csv'), `filename,col_x,row_y,width,height,label\n${boxes.join('')}`);
}

/** Drawings of three families with labels and objects, of which a few have the label of another family. */
export async function drawJudged(folder: string): Promise<void> {
  await draw(folder);
  await label(folder);
}
