import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaRow } from '../../src/common/engine/media-table/media-row';
import { Additions } from './additions';
import { pictureBytes, writePicture } from './pictures';
import type { TestApp } from './test-app';
import { waitUntil } from './wait-until';

/** Two full parts and a third one that is not full. */
const FILES = 280;
const DISTINCT = 4;

export interface RunningEngine {
  readonly running: TestApp;
  close(): Promise<void>;
}

/** The properties that depend only on the bytes of a picture. */
const contentOf = ({ sha256, perceptualHash, embedding, thumbnailKey, sharpness, width, mimeType }: MediaRow) => ({
  sha256,
  perceptualHash,
  embedding: [...embedding!],
  thumbnailKey,
  sharpness,
  width,
  mimeType,
});

/** The analysis of a long list of files, for every engine. */
export function describeEngine(name: string, start: () => Promise<RunningEngine>): void {
  describe(`the engine ${name}`, () => {
    let engine: RunningEngine;
    let datasets: Additions;
    let folder: string;

    beforeAll(async () => {
      engine = await start();
      datasets = new Additions(engine.running);
      folder = join(engine.running.folder, 'many');
      const pictures = await Promise.all(Array.from({ length: DISTINCT }, (_, seed) => pictureBytes(seed)));
      await writePicture(join(folder, '0.jpg'), 0);
      for (let at = 1; at < FILES; at += 1) await writeFile(join(folder, `${at}.jpg`), pictures[at % DISTINCT]!);
      await writeFile(join(folder, 'broken.jpg'), 'no picture');
      await writeFile(join(folder, 'image_annotations.csv'), 'filename,label\n1.jpg,ball\n279.jpg,ball\n');
      await writeFile(
        join(folder, 'object_annotations.csv'),
        'filename,label,col_x,row_y,width,height\n200.jpg,dot,10,10,60,60\n200.jpg,far,900,900,9,9\n',
      );
    });

    afterAll(() => engine.close());

    const taskOf = async (id: string) => (await datasets.tasks(id))[0]!;

    it('returns the same results as the service itself, including the reasons for unusable files', async () => {
      // A short list is analysed by the job of the operation itself.
      const few = await datasets.indexed('Few', await datasets.writeFolder('few', [0, 1, 2, 3]));
      const expected = new Map((await datasets.rows(few)).map((row) => [row.sha256, contentOf(row)]));
      const id = await datasets.indexed('Many', folder);
      const rows = await datasets.rows(id);
      const images = rows.filter(({ kind }) => kind === 'IMAGE');
      expect(new Set(images.map(({ path }) => path)).size).toBe(FILES);
      expect(images).toHaveLength(FILES);
      for (const image of images) expect(contentOf(image)).toEqual(expected.get(image.sha256));
      const labelled = images.filter(({ labels }) => labels.length > 0).map(({ path, labels }) => [path, ...labels]);
      expect(labelled.sort()).toEqual([
        ['1.jpg', 'ball'],
        ['279.jpg', 'ball'],
      ]);
      const objects = rows.filter(({ kind }) => kind === 'OBJECT');
      expect(objects).toEqual([expect.objectContaining({ path: '200.jpg', labels: ['dot'] })]);
      expect(objects[0]!.parentId).toBe(images.find(({ path }) => path === '200.jpg')!.id);
      const { warnings, quarantined_count: quarantined } = await taskOf(id);
      expect({ warnings: warnings.length, quarantined }).toEqual({ warnings: 1, quarantined: 1 });
      const { files } = await datasets.api.must<{ files: { file: string; reason: string }[] }>(
        200,
        'GET',
        `/api/v1/dataset/${id}/quarantine`,
      );
      expect(files).toEqual([expect.objectContaining({ file: 'broken.jpg', reason: 'unreadable' })]);
      await waitUntil(async () => (await datasets.stored('work/')).length === 0);
    });

    it('leaves no visible results of an aborted operation, and can repeat it', async () => {
      const id = await datasets.api.createFromFolder('Aborted', folder);
      const { task_id: task } = await taskOf(id);
      await waitUntil(async () => {
        const { progress } = await datasets.api.must<{ progress: number }>(200, 'GET', `/api/v1/dataset/${id}`);
        return progress > 2;
      });
      await datasets.api.must(200, 'POST', `/api/v1/tasks/${task}/abort`);
      expect(await datasets.api.must(200, 'GET', `/api/v1/dataset/${id}`)).toMatchObject({
        status_new: 'DRAFT',
        n_images: 0,
      });
      await datasets.api.must(200, 'POST', `/api/v1/tasks/${task}/retry`);
      expect(await datasets.api.untilStatus(id, ['READY'])).toMatchObject({ n_images: FILES });
      expect(await taskOf(id)).toMatchObject({ status: 'COMPLETED', quarantined_count: 1 });
    });
  });
}
