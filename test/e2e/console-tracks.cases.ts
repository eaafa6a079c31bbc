import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { hasVideoSupport } from '../../src/common/engine/compute/video-tools';
import type { ConsolePage } from '../support/console-page';
import type { ConsoleWorld } from '../support/console-world';
import { PERSON } from '../support/person-skeleton';
import { waitUntil } from '../support/wait-until';

interface Detail {
  readonly media_id: string;
  readonly frame_timestamp: number | null;
  readonly parent: Detail | null;
  readonly children: readonly Detail[];
}

/** Skeletons are known from files. */
const COCO = {
  images: [{ id: 1, file_name: 'person.jpg', width: 160, height: 120 }],
  categories: [PERSON],
  annotations: [
    { id: 1, image_id: 1, category_id: 1, num_keypoints: 3, keypoints: [80, 10, 2, 80, 60, 2, 80, 110, 1] },
  ],
};

/** Tracks over the frames of a video, and skeletons, as part of the console tests. */
export function tracksCases(world: () => ConsoleWorld): void {
  let page: ConsolePage;
  let id: string;
  let supported: boolean;

  const outlines = () => page.driver.getByRole('img', { name: 'Annotations' }).locator('g > title');
  const seek = (seconds: number) =>
    page.driver.locator('video').evaluate((video, to) => {
      (video as unknown as { currentTime: number }).currentTime = to;
    }, seconds);

  beforeAll(async () => {
    ({ page } = world());
    supported = await hasVideoSupport();
    if (!supported) return;
    const folder = world().folder('films');
    mkdirSync(folder);
    const source = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=160x120:r=4:d=4'];
    execFileSync('ffmpeg', [...source, '-g', '4', '-pix_fmt', 'yuv420p', join(folder, 'film.mp4')]);
    execFileSync('ffmpeg', [...source, '-frames:v', '1', join(folder, 'person.jpg')]);
    id = await world().indexedDataset('Films', folder);
  });

  afterAll(async () => {
    if (!supported) return;
    await page.visit('/notifications');
    await world().ask(`/dataset/${id}`, { method: 'DELETE' });
  });

  it('are drawn at the current time of the player', async () => {
    if (!supported) return;
    const { clusters } = await world().ask<{ clusters: { previews: Detail[] }[] }>(`/explore/${id}`);
    const frame = clusters.flatMap(({ previews }) => previews).find(({ frame_timestamp: at }) => at !== null)!;
    const { parent } = await world().ask<Detail>(`/dataset/${id}/media/${frame.media_id}`);
    const { children } = await world().ask<Detail>(`/dataset/${id}/media/${parent!.media_id}`);
    const at = (seconds: number) => children.find((each) => Math.abs(each.frame_timestamp! - seconds) < 0.5)!.media_id;
    const shape = { type: 'box', x: 10, y: 10, width: 40, height: 30 };
    await world().ask(`/dataset/${id}/annotations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        source: 'tracker',
        annotations: [
          { media_id: at(0), label: 'ball', track_id: '7', shape },
          { media_id: at(2), label: 'ball', track_id: '7', shape: { ...shape, x: 80 } },
          { media_id: at(2), label: 'bat', track_id: '8', shape: { ...shape, y: 60 } },
        ],
      }),
    });
    await page.visit(`/datasets/${id}/explore?media=${parent!.media_id}`);
    await page.driver.getByRole('switch', { name: 'Show tracker' }).waitFor();
    expect(await outlines().count()).toBe(0);
    const dashed = page.driver.locator('[data-between="true"] path');
    await seek(2.1);
    await outlines().nth(1).waitFor({ state: 'attached' });
    expect((await outlines().allTextContents()).sort()).toEqual(['ball', 'bat']);
    await page.see('text', 'track 8');
    await seek(1.1);
    await outlines().filter({ hasText: 'bat' }).waitFor({ state: 'detached' });
    expect(await outlines().allTextContents()).toEqual(['ball']);
    // Halfway, and not stored.
    expect(await dashed.last().getAttribute('d')).toBe('M45 10 85 10 85 40 45 40Z');
    expect(await page.driver.getByText('track 7').count()).toBe(0);
    expect(await page.seriousFindings()).toEqual([]);
    await seek(0.2);
    await page.see('text', 'track 7');
    expect([await outlines().allTextContents(), await dashed.count()]).toEqual([['ball'], 0]);
    await seek(3.4);
    await outlines().first().waitFor({ state: 'detached' });
  });

  it('go on in the next frame by copies of shapes, which are one edit', async () => {
    if (!supported) return;
    const { clusters } = await world().ask<{ clusters: { previews: Detail[] }[] }>(`/explore/${id}`);
    const frame = clusters.flatMap(({ previews }) => previews).find(({ frame_timestamp: at }) => at !== null)!;
    const { parent } = await world().ask<Detail>(`/dataset/${id}/media/${frame.media_id}`);
    const { children } = await world().ask<Detail>(`/dataset/${id}/media/${parent!.media_id}`);
    const [first, second, third] = [...children].sort((a, b) => a.frame_timestamp! - b.frame_timestamp!);
    const shape = { type: 'box', x: 10, y: 10, width: 40, height: 30 };
    const annotations = [
      { media_id: first!.media_id, label: 'ball', track_id: '1', shape, attributes: { wet: true } },
      { media_id: first!.media_id, label: 'bat', shape: { ...shape, y: 60 } },
    ];
    await world().ask(`/dataset/${id}/annotations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ source: 'ground_truth', annotations }),
    });
    const untilIn = (picture: Detail | undefined, ...labels: string[]) =>
      waitUntil(async () => {
        const path = `/dataset/${id}/annotations?source=ground_truth&media_id=${picture!.media_id}`;
        const { annotations: stored } = await world().ask<{ annotations: { label: string }[] }>(path);
        return JSON.stringify(stored.map(({ label }) => label).sort()) === JSON.stringify(labels);
      });
    const { keyboard } = page.driver;
    await page.visit(`/datasets/${id}/explore?media=${first!.media_id}`);
    await page.see('button', 'Edit');
    await keyboard.press('e');
    await page.see('button', 'Copy all shapes to the next frame (F)');
    expect(await page.seriousFindings()).toEqual([]);
    await keyboard.press('f');
    await untilIn(second, 'ball', 'bat');
    await page.driver.waitForURL(new RegExp(second!.media_id));
    await page.see('text', '2 shapes copied to this frame.');
    // The frame before stays until this one is loaded.
    await page.see('text', second!.media_id);
    await outlines().nth(1).waitFor({ state: 'attached' });
    await keyboard.press('n');
    await page.see('button', 'Copy to the next frame (F)');
    await keyboard.press('f');
    await page.driver.waitForURL(new RegExp(third!.media_id));
    await waitUntil(async () => (await page.driver.locator('g[data-selected]').count()) === 1);
    await keyboard.press('Control+z');
    await untilIn(third);
    await keyboard.press('Control+z');
    await untilIn(second);
    await page.driver.waitForURL(new RegExp(second!.media_id));
    await untilIn(first, 'ball', 'bat');
    await keyboard.press('Escape');
  });

  it('have lines between the keypoints of a skeleton', async () => {
    if (!supported) return;
    const body = new FormData();
    body.set('source', 'poses');
    body.set('files', new File([JSON.stringify(COCO)], 'poses.json'));
    await world().ask(`/dataset/${id}/annotations/files`, { method: 'POST', body });
    const filters = [{ files: { op: 'contains', value: 'person.jpg' } }];
    const isRead = async () =>
      (await world().ask<{ total: number }>(`/dataset/${id}/annotations?source=poses`)).total === 1;
    await waitUntil(isRead);
    await page.visit(`/datasets/${id}/explore?vql=${encodeURIComponent(JSON.stringify(filters))}`);
    await page.tiles.first().click();
    await outlines().filter({ hasText: 'person' }).waitFor({ state: 'attached' });
    await page.driver.locator('path[d="M80 10L80 60M80 60L80 110"]').first().waitFor({ state: 'attached' });
  });
}
