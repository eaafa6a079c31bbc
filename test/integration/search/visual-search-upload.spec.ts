import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { MediaTableStore } from '../../../src/common/engine/media-table/media-table-store';
import { DatasetReader, type DatasetPointer } from '../../../src/modules/datasets';
import {
  AnchorReader,
  type AnchorName,
  type AnchorVector,
  AnchorSweep,
} from '../../../src/modules/search/anchors/anchor.reader';
import { ApiClient, filesForm, type Answer } from '../../support/api-client';
import { writePicture } from '../../support/pictures';
import { runningApp } from '../../support/test-app';

const HOUR_MS = 60 * 60 * 1000;
const NOBODY = '11111111-2222-4333-8444-555555555555';

describe('searching with an uploaded image', () => {
  const running = runningApp({ MAX_UPLOAD_BYTES: '200000' });
  let api: ApiClient;
  let id: string;
  let otherId: string;
  let pointer: DatasetPointer;
  let source: string;

  const createReady = async (name: string): Promise<string> => {
    return api.indexed(name, source);
  };

  beforeAll(async () => {
    api = new ApiClient(running.url);
    source = join(running.folder, 'source');
    for (let seed = 0; seed < 4; seed += 1) await writePicture(join(source, `${seed}.jpg`), seed);
    await writeFile(
      join(source, 'object_annotations.csv'),
      'filename,col_x,row_y,width,height,label\n0.jpg,40,30,80,60,ball\n',
    );
    id = await createReady('Searched');
    otherId = await createReady('Other');
    pointer = (await running.app.get(DatasetReader).get(id)).pointer!;
  });

  const upload = (bytes: Uint8Array, query = '', dataset = id): Promise<Answer> =>
    api.ask(
      'POST',
      `/api/v1/dataset/${dataset}/search-image-similarity?entity_type=IMAGES${query}`,
      filesForm([{ name: 'query', bytes }], 'file'),
    );
  const uploaded = async (bytes: Uint8Array, query = ''): Promise<string> => {
    const answer = await upload(bytes, query);
    expect(answer).toMatchObject({ status: 200, body: { anchor_type: 'UPLOAD' } });
    return (answer.body as { anchor_media_id: string }).anchor_media_id;
  };
  const vectorOf = (name: Partial<AnchorName>, dataset = id, at = pointer): Promise<AnchorVector> =>
    running.app
      .get(AnchorReader)
      .vectorOf(dataset, at, { anchorId: NOBODY, anchorType: 'UPLOAD', entityType: 'IMAGES', ...name });
  const entities = async () => {
    const table = await running.app.get(MediaTableStore).open(pointer);
    const found = [];
    for await (const rows of table.readRows(['id', 'kind', 'fileName', 'embedding', 'box'])) found.push(...rows);
    return found.map((row, ordinal) => ({ ...row, ordinal }));
  };
  const staged = async (): Promise<string[]> => {
    const folder = join(running.folder, 'data', 'store', 'staging');
    return readdir(folder).catch(() => []);
  };
  const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

  it('uses the same vector as for the image in the dataset', async () => {
    const anchorId = await uploaded(await readFile(join(source, '2.jpg')));
    const { vector, self } = await vectorOf({ anchorId });
    const known = (await entities()).find(({ fileName, kind }) => kind === 'IMAGE' && fileName === '2.jpg')!;
    expect(self).toBeNull();
    expect([...vector]).toEqual([...known.embedding!]);
  });

  it('uses the region only, like an object of the image', async () => {
    const object = (await entities()).find(({ kind }) => kind === 'OBJECT')!;
    const region = encodeURIComponent(JSON.stringify(object.box));
    const anchorId = await uploaded(await readFile(join(source, '0.jpg')), `&bounding_box=${region}`);
    const { vector } = await vectorOf({ anchorId });
    expect(cosine(vector, object.embedding!)).toBeGreaterThan(0.999999);
    const whole = await vectorOf({ anchorId: await uploaded(await readFile(join(source, '0.jpg'))) });
    expect(cosine(vector, whole.vector)).toBeLessThan(0.999);
  });

  it('leaves no files behind, for valid and invalid images', async () => {
    const thumbnails = async (): Promise<string[]> =>
      readdir(join(running.folder, 'data', 'store', 'thumbs'), { recursive: true });
    const before = await thumbnails();
    const unseen = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#123456' } })
      .png()
      .toBuffer();
    await uploaded(unseen);
    await upload(new TextEncoder().encode('not a picture'));
    await upload(new Uint8Array(300_000));
    expect(await staged()).toEqual([]);
    expect(await thumbnails()).toEqual(before);
  });

  it('reports why an image cannot be used', async () => {
    const tiny = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    expect(await upload(tiny)).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/\(too_small\)/) as unknown },
    });
    expect(await upload(await readFile(join(__dirname, '..', '..', 'fixtures', 'clip.mp4')))).toMatchObject({
      status: 400,
      body: { detail: "The image can't be searched with (unsupported): The file is a video, not an image." },
    });
    expect(await upload(new Uint8Array(0))).toMatchObject({ status: 400 });
    expect(await upload(new Uint8Array(300_000))).toMatchObject({ status: 413 });
  });

  it('is limited to its dataset, and expires after a day', async () => {
    const anchorId = await uploaded(await readFile(join(source, '1.jpg')));
    const unknown = { status: 404, detail: expect.stringMatching(/^Search anchor not found/) as unknown };
    await expect(vectorOf({ anchorId }, otherId)).rejects.toMatchObject(unknown);
    await expect(vectorOf({})).rejects.toMatchObject(unknown);
    const sweep = running.app.get(AnchorSweep);
    expect(await sweep.sweep(new Date(Date.now() + 23 * HOUR_MS))).toBe(0);
    await running.database.dataSource.query('UPDATE search_anchor SET expires_at = now() WHERE id = $1', [anchorId]);
    await expect(vectorOf({ anchorId })).rejects.toMatchObject(unknown);
    expect(await sweep.sweep(new Date())).toBe(1);
  });

  it('compares vectors of one model only', async () => {
    const anchorId = await uploaded(await readFile(join(source, '1.jpg')));
    await expect(vectorOf({ anchorId }, id, { ...pointer, modelId: 'newer' })).rejects.toMatchObject({
      status: 409,
      detail: expect.stringMatching(/embedded by the model .*, the dataset by newer/) as unknown,
    });
  });

  it('can also use any image or object of the dataset', async () => {
    for (const { id: anchorId, ordinal, embedding } of await entities()) {
      const { vector, self } = await vectorOf({ anchorId, anchorType: 'MEDIA' });
      expect(self).toBe(ordinal);
      expect([...vector]).toEqual([...embedding!]);
    }
    await expect(vectorOf({ anchorType: 'MEDIA' })).rejects.toMatchObject({ status: 404, detail: 'Media not found' });
  });

  it('is deleted with its dataset', async () => {
    const folder = join(running.folder, 'doomed');
    await mkdir(folder);
    await writePicture(join(folder, 'a.jpg'), 7);
    const doomed = await api.indexed('Doomed', folder);
    expect(await upload(await readFile(join(folder, 'a.jpg')), '', doomed)).toMatchObject({ status: 200 });
    await api.must(204, 'DELETE', `/api/v1/dataset/${doomed}`);
    const left = await running.database.dataSource.query<unknown[]>(
      'SELECT id FROM search_anchor WHERE dataset_id = $1',
      [doomed],
    );
    expect(left).toEqual([]);
  });
});
