import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderPicture, SAMPLE_FAMILIES, SeededRandom } from '#sample';
import { Additions } from '../../support/additions';
import { runningApp } from '../../support/test-app';

/** A family of scenes, with words that occur in the caption and among the labels of each of its pictures. */
const SCENES = [
  { family: 'sunset', word: 'mountains', label: 'sunset' },
  { family: 'forest', word: 'fir', label: 'forest' },
  { family: 'winter', word: 'snow', label: 'winter' },
  { family: 'bricks', word: 'wall', label: 'bricks' },
  { family: 'city-night', word: 'skyline', label: 'night' },
] as const;

describe('built-in models', () => {
  const running = runningApp();
  const additions = new Additions(running);

  it('caption and label drawn scenes without additional models', async () => {
    const folder = additions.place('scenes');
    await mkdir(folder, { recursive: true });
    for (const { family: name } of SCENES) {
      const family = SAMPLE_FAMILIES.find((each) => each.name === name)!;
      const scene = family.draw(new SeededRandom(`built-in models ${name}`));
      await writeFile(join(folder, `${name}.png`), await renderPicture(scene, 'none', '.png', name));
    }
    const source = await additions.indexed('Scenes', folder);
    const copy = await additions.api.enriched(source, {
      CAPTION_IMAGES: 'drawn-world_captioner_v00',
      IMAGE_TAGGING: 'drawn-world_tagger_v00',
    });
    const rows = await additions.rows(copy);
    expect(rows).toHaveLength(SCENES.length);
    for (const { family, word, label } of SCENES) {
      const row = rows.find(({ fileName }) => fileName === `${family}.png`)!;
      expect(row.generatedCaption).toContain(word);
      expect(row.labels).toContain(label);
    }
    const all = expect.arrayContaining(rows.map(({ id }) => id)) as unknown;
    const found = await additions.api.must<object>(200, 'GET', `/api/v1/enrichment/${copy}/findings`);
    expect(found).toMatchObject({
      n_media: rows.length,
      captions: { model_id: 'drawn-world_captioner_v00', count: rows.length, media_ids: all },
      labels: { model_id: 'drawn-world_tagger_v00', count: rows.length, media_ids: all },
      objects: { model_id: null, count: 0, media_ids: [], n_objects: 0 },
    });
  });
});
