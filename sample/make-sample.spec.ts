import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import sharp from 'sharp';
import { drawnSample, type DrawnSample } from '../test/support/drawn-sample';
import { Canvas } from './drawing';
import { makeSample, SAMPLE_SEED as SEED, type SampleSummary } from './make-sample';
import { renderPicture } from './picture';
import { planSample, SAMPLE_FAMILIES } from './sample-plan';
import { truthOf } from './sample-truth';
import { SeededRandom } from './seeded-random';

let root: string;
let summary: SampleSummary;
let progress: DrawnSample['progress'];

beforeAll(async () => {
  ({ root, summary, progress } = await drawnSample());
});

const read = async (path: string): Promise<Buffer> => readFile(join(summary.folder, path));

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((path) => path.split(sep).join('/'));
}

async function measure(path: string): Promise<{ sharpness: number; mean: number }> {
  const { data, info } = await sharp(await read(path))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): number => data[y * info.width + x] ?? 0;
  let [count, sum, squares] = [0, 0, 0];
  for (let y = 1; y < info.height - 1; y++) {
    for (let x = 1; x < info.width - 1; x++) {
      const value = 4 * at(x, y) - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1);
      count++;
      sum += value;
      squares += value * value;
    }
  }
  const mean = data.reduce((total, value) => total + value, 0) / data.length;
  return { sharpness: squares / count - (sum / count) ** 2, mean };
}

describe('the sample dataset', () => {
  it('has every planned file, and no other', async () => {
    const { truth } = summary;
    const expected = [
      ...truth.families.keys(),
      ...truth.odd,
      ...truth.unreadable,
      ...summary.videos,
      ...summary.annotations,
    ];
    expect((await filesBelow(summary.folder)).sort()).toEqual(expected.sort());
    expect(await readdir(root)).toEqual(['sample']);
  });

  it('has the documented numbers', () => {
    const { truth } = summary;
    expect(summary.images).toBe(609);
    expect(new Set(truth.families.values()).size).toBe(SAMPLE_FAMILIES.length);
    expect(truth.duplicates.reduce((copies, group) => copies + group.length - 1, 0)).toBe(30);
    expect(truth.nearDuplicates).toHaveLength(40);
    expect([truth.blurred, truth.dark, truth.bright, truth.odd, truth.unreadable].map((list) => list.length)).toEqual([
      20, 12, 12, 15, 5,
    ]);
    expect(truthOf(planSample(SEED))).toEqual(truth);
  });

  it('reports progress up to the last file', () => {
    expect(progress).toHaveLength(609);
    expect(progress.at(-1)).toEqual([609, 609]);
  });

  it('makes duplicates byte for byte, and near duplicates that differ', async () => {
    for (const [original = '', ...copies] of summary.truth.duplicates) {
      for (const copy of copies) expect((await read(copy)).equals(await read(original))).toBe(true);
    }
    for (const { original, edited } of summary.truth.nearDuplicates) {
      expect((await read(edited)).equals(await read(original))).toBe(false);
    }
  });

  it('keeps blurred, dark and bright pictures beyond the thresholds, and all others within', async () => {
    const { blurred, dark, bright, families } = summary.truth;
    for (const [i, [path, family]] of [...families].entries()) {
      if (i % 4 > 0 && !path.startsWith('camera roll')) continue;
      const { sharpness, mean } = await measure(path);
      const wrong = { path, family, sharpness, mean };
      if (blurred.includes(path) !== sharpness < 50) throw new Error(`blur: ${JSON.stringify(wrong)}`);
      if (dark.includes(path) !== mean < 13) throw new Error(`dark: ${JSON.stringify(wrong)}`);
      if (bright.includes(path) !== mean > 220.5) throw new Error(`bright: ${JSON.stringify(wrong)}`);
    }
  });

  it('has unreadable files that no decoder opens', async () => {
    const decode = async (path: string): Promise<Buffer> =>
      sharp(await read(path))
        .raw()
        .toBuffer();
    for (const path of summary.truth.unreadable) await expect(decode(path)).rejects.toThrow();
  });

  it('annotates pictures that exist, with boxes inside them', async () => {
    const rows = (await read('object_annotations.csv')).toString().trim().split('\n').slice(1);
    expect(rows.length).toBeGreaterThan(300);
    const sizes = new Map<string, { width: number; height: number }>();
    for (const row of rows) {
      const [, path = '', numbers = ''] = /^"?(.+?)"?,((?:\d+,){4})/.exec(row) ?? [];
      const size = sizes.get(path) ?? (await sharp(await read(path)).metadata());
      sizes.set(path, size);
      const [x = -1, y = -1, width = 0, height = 0] = numbers.split(',').map(Number);
      expect({
        row,
        inside: x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= size.width && y + height <= size.height,
      }).toEqual({ row, inside: true });
    }
    expect((await read('image_annotations.csv')).toString().split('\n').length).toBeGreaterThan(500);
  });

  it('reports that there are no videos', () => {
    expect(summary.videos.length > 0).toBe(summary.notes.length === 0);
  });

  it('does not overwrite an existing folder', async () => {
    await expect(makeSample(summary.folder, { seed: SEED })).rejects.toThrow('already exists');
  });
});

describe('what a seed draws', () => {
  it('is deterministic, and different for another seed', async () => {
    const pictures = planSample(SEED).drawn.filter((_, i) => i % 40 === 0);
    for (const { path, family, treatment, seed } of pictures) {
      const scene = family.draw(new SeededRandom(seed));
      const again = await renderPicture(scene, treatment, path.slice(path.lastIndexOf('.')), seed);
      expect(again.equals(await read(path))).toBe(true);
      expect(family.draw(new SeededRandom(`${seed} else`)).svg).not.toBe(scene.svg);
    }
    expect(planSample(SEED)).toEqual(planSample(SEED));
    expect(planSample(2).copies).not.toEqual(planSample(SEED).copies);
  });

  it('draws little more and leaves no partial sample when it fails', async () => {
    let drawn = 0;
    const failing = makeSample(join(root, 'failing'), {
      seed: SEED,
      onProgress: (done) => {
        drawn = done;
        if (done === 20) throw new Error('the disk is full');
      },
    });
    await expect(failing).rejects.toThrow('the disk is full');
    expect(drawn).toBeLessThan(25);
    expect(await readdir(root)).toEqual(['sample']);
  });

  it('clips an object at the edge of the picture, and drops one that is hardly inside', () => {
    const canvas = new Canvas(100, 80).mark('boat', -20.5, 30.2, 50, 100).mark('boat', 95, 0, 50, 50);
    expect(canvas.objects).toEqual([{ label: 'boat', x: 0, y: 30, width: 30, height: 50 }]);
  });
});
