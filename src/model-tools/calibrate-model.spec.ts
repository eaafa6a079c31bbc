import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUILT_IN_MODELS } from '../common/engine/models/built-in-models';
import { modelOf, readManifest } from '../common/engine/models/model-folder';
import { MODEL_RUNTIMES } from '../common/engine/models/model-runtimes';
import { renderPicture, SAMPLE_FAMILIES, SeededRandom } from '#sample';
import { calibrateModel } from './calibrate-model';

const PER_FAMILY = 2;

describe('the calibration of an image model', () => {
  let folder: string;
  let pictures: string;
  let model: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'calibration-'));
    pictures = join(folder, 'pictures');
    for (const family of SAMPLE_FAMILIES.slice(0, 4)) {
      await mkdir(join(pictures, family.name), { recursive: true });
      for (let at = 0; at < PER_FAMILY; at += 1) {
        const seed = `calibration ${at}`;
        const bytes = await renderPicture(family.draw(new SeededRandom(seed)), 'none', '.jpg', seed);
        await writeFile(join(pictures, family.name, `${at}.jpg`), bytes);
      }
    }
    await writeFile(join(pictures, 'notes.txt'), 'not a picture');
    model = join(folder, 'model');
    await cp(join(BUILT_IN_MODELS, 'fixed-filters_v01'), model, { recursive: true });
    const manifest = JSON.parse(await readFile(join(model, 'manifest.json'), 'utf8')) as object;
    const calibration = { ladder: [0.3, 0.2, 0.1, 0, -0.5], nearDuplicates: 0.3 };
    await writeFile(join(model, 'manifest.json'), JSON.stringify({ ...manifest, calibration }));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const calibrate = async (options: Parameters<typeof calibrateModel>[1], place = model): Promise<string> => {
    const lines: string[] = [];
    await calibrateModel(place, options, (line) => lines.push(line));
    return lines.join('\n');
  };
  const calibrationOf = async (): Promise<{ ladder: number[]; nearDuplicates: number }> => {
    const { manifest } = await modelOf(model, (await readManifest(model))!, MODEL_RUNTIMES);
    return (manifest as unknown as { calibration: { ladder: number[]; nearDuplicates: number } }).calibration;
  };
  const precision = (text: string, level: string): number =>
    Number(new RegExp(`^${level} .* copies precision ([\\d.]+)`, 'm').exec(text)![1]);

  it('finds thresholds that distinguish pictures, and writes them on request', async () => {
    const before = await calibrationOf();
    const text = await calibrate({ pictures });
    expect(text).toMatch(/^8 pictures, and 6 changed copies of each: scale 0\.5, /m);
    expect(precision(text, 'before: level 0')).toBeLessThan(0.5);
    expect(precision(text, 'after: level 0')).toBeGreaterThanOrEqual(0.99);
    expect(precision(text, 'after: level 1')).toBeGreaterThanOrEqual(0.9);
    expect(text).toMatch(/^before: near duplicates from 0\.3: /m);
    expect(precision(text, 'before: near duplicates')).toBeLessThan(0.9);
    expect(precision(text, 'after: near duplicates')).toBeGreaterThanOrEqual(0.999);
    expect(text).toMatch(/^after: near duplicates .* recall (0\.9[5-9]|1)/m);
    expect(await calibrationOf()).toEqual(before);

    expect(await calibrate({ pictures, write: true })).toMatch(/^Written to .*manifest\.json\./m);
    const { ladder, nearDuplicates } = await calibrationOf();
    expect(text).toContain(`"ladder": [${ladder.join(', ')}], "nearDuplicates": ${nearDuplicates}`);
    expect(ladder).toEqual([...ladder].sort((a, b) => b - a));
  });

  it('reports missing arguments', async () => {
    await expect(calibrate({})).rejects.toThrow('Name a folder of pictures by --pictures DIR.');
    await expect(calibrate({ pictures: model })).rejects.toThrow(/has fewer than two pictures\.$/);
    await expect(calibrate({ pictures: '/nowhere' })).rejects.toThrow(/can't be read/);
    await expect(calibrate({ pictures }, join(BUILT_IN_MODELS, 'hashed-words_v00'))).rejects.toThrow(
      'hashed-words_v00 is a model of type TEXT_ENCODING; only IMAGE_ENCODING has a ladder.',
    );
  });
});
