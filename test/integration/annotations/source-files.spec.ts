import { Additions, type UpdateTask } from '../../support/additions';
import { runningApp } from '../../support/test-app';

interface Listed {
  readonly id: string;
  readonly file_path: string;
  readonly label: string;
  readonly shape: object | null;
  readonly confidence: number | null;
}

const COCO = {
  annotations: [
    { id: 11, image_id: 1, category_id: 3, bbox: [10, 20, 30.5, 40], area: 1220, iscrowd: 0 },
    { id: 12, image_id: 2, category_id: 3, bbox: [1, 2, 3, 4], segmentation: [[1, 2, 4, 2, 4, 6]], iscrowd: 0 },
    // Of the first picture again.
    { id: 13, image_id: 1, category_id: 4, segmentation: { size: [2, 4], counts: [1, 2, 5] }, iscrowd: 1 },
    { id: 14, image_id: 2, category_id: 4, keypoints: [1, 2, 2, 0, 0, 0], bbox: [0, 0, 9, 9] },
    { id: 15, image_id: 3, category_id: 4, bbox: [0, 0, 9, 9] },
    { id: 16, image_id: 1, category_id: 3, bbox: [0, 0, 'x', 9] },
    { id: 17, image_id: 1, category_id: 9, bbox: [0, 0, 9, 9] },
  ],
  images: [
    { id: 1, file_name: '0.jpg', width: 160, height: 120 },
    { id: 2, file_name: '1.jpg', width: 160, height: 120 },
    { id: 3, file_name: 'gone.jpg' },
  ],
  categories: [
    { id: 3, name: 'cat' },
    { id: 4, name: 'person' },
  ],
};
const RESULTS = [
  { image_id: 1, category_id: 3, bbox: [1, 1, 5, 5], score: 0.30000000000000004 },
  { image_id: 2, category_id: 4, bbox: [2, 2, 5, 5], score: 0.5 },
];

function formOf(fields: Readonly<Record<string, string>>, files: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const [name, content] of Object.entries(files))
    form.append('files', new Blob([typeof content === 'string' ? content : JSON.stringify(content)]), name);
  return form;
}

describe('annotation files for a source', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let id: string;

  beforeAll(async () => {
    id = await additions.indexed('Imported', await additions.writeFolder('Pictures', [0, 1, 2]));
  });

  async function sent(
    files: Readonly<Record<string, unknown>>,
    fields: Readonly<Record<string, string>>,
  ): Promise<UpdateTask> {
    const path = `/api/v1/dataset/${id}/annotations/files`;
    const { task_id: task } = await additions.api.must<{ task_id: string }>(202, 'POST', path, formOf(fields, files));
    return additions.ended(id, task);
  }
  const listed = async (source: string): Promise<Listed[]> =>
    (
      await additions.api.must<{ annotations: Listed[] }>(
        200,
        'GET',
        `/api/v1/dataset/${id}/annotations?source=${source}&limit=1000`,
      )
    ).annotations.toSorted((a, b) => (a.file_path + a.id < b.file_path + b.id ? -1 : 1));
  const briefly = async (source: string): Promise<string[]> =>
    (await listed(source)).map(({ id: own, file_path: path, label }) => `${path} ${own} ${label}`).sort();

  it('brings in every shape of a COCO file, and names what it leaves out', async () => {
    expect(await sent({ 'instances.json': COCO }, { source: 'people', kind: 'truth' })).toMatchObject({
      task_type: 'ANNOTATION_IMPORT',
      status: 'COMPLETED',
      warnings: [
        'instances.json, entry 6 is left out: box: a coordinate is not a number of pixels.',
        'instances.json, entry 7 is left out: category_id: no category has this id.',
        '1 of 5 annotations match no medium of the dataset: gone.jpg.',
      ],
    });
    expect(await listed('people')).toEqual([
      expect.objectContaining({ id: '11', shape: { type: 'box', x: 10, y: 20, width: 30.5, height: 40 }, area: 1220 }),
      expect.objectContaining({
        id: '13',
        label: 'person',
        crowd: true,
        shape: { type: 'mask', width: 4, height: 2, counts: '125' },
      }),
      expect.objectContaining({ id: '12', shape: { type: 'polygon', rings: [[1, 2, 4, 2, 4, 6]] } }),
      expect.objectContaining({ id: '14', shape: { type: 'keypoints', points: [1, 2, 2, 0, 0, 0] } }),
    ]);
    const { sources } = await additions.api.must<{ sources: object[] }>(
      200,
      'GET',
      `/api/v1/dataset/${id}/annotation_sources`,
    );
    expect(sources).toContainEqual(
      expect.objectContaining({ name: 'people', kind: 'truth', n_boxes: 1, n_polygons: 1, n_masks: 1, n_keypoints: 1 }),
    );
  });

  it('reads results with the names of the pictures and categories of another file', async () => {
    // The annotations of that file are not what the model found.
    await sent({ 'results.json': [], 'instances.json': COCO }, { source: 'detector' });
    expect(await listed('detector')).toEqual([]);
    await sent({ 'results.json': RESULTS, 'instances.json': COCO }, { source: 'detector' });
    expect((await listed('detector')).map(({ label, confidence }) => [label, confidence])).toEqual([
      ['cat', 0.30000000000000004],
      ['person', 0.5],
    ]);
    expect(await sent({ 'results.json': RESULTS }, { source: 'detector', mode: 'replace' })).toMatchObject({
      status: 'FAILED',
      error_message: expect.stringMatching(/^results.json cannot be read: there is no list of images/) as unknown,
    });
    expect(await listed('detector')).toHaveLength(2);
  });

  it('leaves, changes, removes or replaces what the source has', async () => {
    const ofIds = (entries: readonly (readonly [number, number, number])[]): object => ({
      ...COCO,
      annotations: entries.map(([own, image, category]) => ({ id: own, image_id: image, category_id: category })),
    });
    const send = (mode: string, entries: readonly (readonly [number, number, number])[]): Promise<UpdateTask> =>
      sent({ 'a.json': ofIds(entries) }, { source: 'edited', mode });
    await send('add', [
      [1, 1, 3],
      [2, 2, 3],
    ]);
    await send('add', [
      [1, 1, 4],
      [3, 1, 4],
    ]);
    expect(await briefly('edited')).toEqual(['0.jpg 1 cat', '0.jpg 3 person', '1.jpg 2 cat']);
    await send('merge', [[1, 1, 4]]);
    expect(await briefly('edited')).toEqual(['0.jpg 1 person', '0.jpg 3 person', '1.jpg 2 cat']);
    await send('delete', [[3, 1, 4]]);
    expect(await briefly('edited')).toEqual(['0.jpg 1 person', '1.jpg 2 cat']);
    await send('replace', [[7, 2, 3]]);
    expect(await briefly('edited')).toEqual(['1.jpg 7 cat']);
  });

  it('previews what files have, and changes nothing', async () => {
    const form = formOf({ source: 'previewed', preview: 'true' }, { 'instances.json': COCO });
    const path = `/api/v1/dataset/${id}/annotations/files`;
    expect(await additions.api.must(200, 'POST', path, form)).toEqual({
      format: 'coco',
      annotations: 5,
      pictures: 3,
      is_complete: true,
      first: expect.arrayContaining([
        expect.objectContaining({ file_path: '0.jpg', matches: true, id: '11', label: 'cat', unit: 'pixels' }),
        expect.objectContaining({ file_path: 'gone.jpg', matches: false, id: '15' }),
      ]) as unknown,
      unmatched: { count: 1, names: ['gone.jpg'] },
      faults: [
        'instances.json, entry 6 is left out: box: a coordinate is not a number of pixels.',
        'instances.json, entry 7 is left out: category_id: no category has this id.',
      ],
    });
    expect(await listed('previewed')).toEqual([]);
  });

  it('previews the beginning of many annotations, and a format that is told', async () => {
    const many = Array.from({ length: 12_000 }, (_, at) => `images/${at % 3}.jpg,${at},boat\n`);
    const form = formOf(
      { source: 'previewed', preview: 'true', format: 'table' },
      { 'many.csv': `filename,id,label\n${many.join('')}` },
    );
    const preview = await additions.api.must<{ annotations: number; first: object[] }>(
      200,
      'POST',
      `/api/v1/dataset/${id}/annotations/files`,
      form,
    );
    expect(preview).toMatchObject({ format: 'table', pictures: 3, is_complete: false, unmatched: { count: 0 } });
    expect(preview.annotations).toBeGreaterThanOrEqual(10_000);
    expect(preview.annotations).toBeLessThan(12_000);
    expect(preview.first).toHaveLength(10);
  });

  it('takes nothing of a file that ends in the middle', async () => {
    const cut = JSON.stringify({ images: COCO.images, categories: COCO.categories, annotations: COCO.annotations });
    expect(await sent({ 'cut.json': cut.slice(0, -40) }, { source: 'cut' })).toMatchObject({
      status: 'FAILED',
      error_message: expect.stringMatching(/^cut.json cannot be read: .*Nothing was changed\.$/) as unknown,
    });
    expect(await listed('cut')).toEqual([]);
  });
});
