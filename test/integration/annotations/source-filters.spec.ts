import { textOfRuns } from '../../../src/common/engine/annotations/mask-runs';
import { Additions } from '../../support/additions';
import { runningApp } from '../../support/test-app';

describe('annotations of sources', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let dataset: string;

  beforeAll(async () => {
    // Pictures of 160 by 120 pixels.
    dataset = await additions.indexed('Sources', await additions.writeFolder('Pictures', [0, 1, 2]));
  });

  const path = (): string => `/api/v1/dataset/${dataset}/annotations`;
  const send = (body: object): Promise<unknown> => additions.api.must(200, 'POST', path(), body);
  const box = (x: number) => ({ type: 'box', x, y: 1 / 3, width: 10.1, height: 0.2 + 0.1 });

  it('filter searches by source, label, confidence, area, number and crowd', async () => {
    const on = (file: number, label: string, rest: object = {}) => ({ file_name: `${file}.jpg`, label, ...rest });
    await send({
      source: 'q',
      annotations: [
        on(0, 'cat', { confidence: 0.9, shape: box(1) }),
        on(0, 'cat', { confidence: 0.4, shape: { ...box(1), width: 100, height: 10 } }),
        on(0, 'dog', { confidence: 0.6 }),
        on(1, 'cat', { confidence: 0.4, crowd: true }),
      ],
    });
    await send({ source: 'other', annotations: [on(2, 'cat')] });
    const found = (filter: object): Promise<string[]> => {
      const vql = JSON.stringify([{ labels: { op: 'one_of', source: 'q', ...filter } }]);
      return additions.filesFound(dataset, `vql=${encodeURIComponent(vql)}`);
    };
    expect(await found({ value: ['cat'] })).toEqual(['0.jpg', '1.jpg']);
    expect(await found({ value: ['cat'], confidence: [0.5, 1] })).toEqual(['0.jpg']);
    expect(await found({ value: ['cat'], confidence: [0.4, 0.4] })).toEqual(['0.jpg', '1.jpg']);
    expect(await found({ value: ['cat'], area: [500, 1e6] })).toEqual(['0.jpg']);
    expect(await found({ value: ['cat'], count: 2 })).toEqual(['0.jpg']);
    expect(await found({ value: ['cat', 'dog'], count: 3 })).toEqual(['0.jpg']);
    expect(await found({ value: ['cat'], iscrowd: true })).toEqual(['1.jpg']);
    expect(await found({ op: 'is', value: ['cat', 'dog'] })).toEqual(['0.jpg']);
    expect(await found({ op: 'not_one_of', value: ['dog'] })).toEqual(['1.jpg', '2.jpg']);
    expect(await found({ value: ['unlabeled'] })).toEqual(['2.jpg']);
    expect(await found({ value: ['unlabeled'], confidence: [0.5, 1] })).toEqual(['1.jpg', '2.jpg']);
    expect(await found({ value: ['cat'], source: 'none' })).toEqual([]);
    expect(await found({ value: ['unlabeled'], source: 'none' })).toEqual(['0.jpg', '1.jpg', '2.jpg']);
    // What was answered before an edit is not answered after it.
    await send({ source: 'q', annotations: [on(2, 'cat')] });
    expect(await found({ value: ['cat'] })).toEqual(['0.jpg', '1.jpg', '2.jpg']);
    const vql = encodeURIComponent(JSON.stringify([{ labels: { op: 'is', value: ['cat'], count: 2 } }]));
    const refused = await additions.api.ask('GET', `/api/v1/explore/${dataset}?vql=${vql}`);
    expect(refused).toMatchObject({ status: 422 });
  });

  it('count the area of a mask of half the size in its picture', async () => {
    // The left half of a mask of 80 by 60.
    const mask = { type: 'mask', width: 80, height: 60, counts: textOfRuns([0, 2_400, 2_400]) };
    await send({ source: 'm', annotations: [{ file_name: '0.jpg', label: 'sea', shape: mask }] });
    const found = (area: [number, number]): Promise<string[]> => {
      const vql = JSON.stringify([{ labels: { op: 'one_of', value: ['sea'], source: 'm', area } }]);
      return additions.filesFound(dataset, `vql=${encodeURIComponent(vql)}`);
    };
    expect([await found([2_400, 9_599]), await found([9_600, 9_600])]).toEqual([[], ['0.jpg']]);
  });

  it('filter searches by attributes, and by objects', async () => {
    const on = (file: number, label: string, rest: object = {}) => ({ file_name: `${file}.jpg`, label, ...rest });
    await send({
      source: 'a',
      annotations: [
        on(0, 'car', { shape: box(1), attributes: { occluded: true, age: 3, colour: 'red' } }),
        on(0, 'car', { shape: box(2), attributes: { occluded: false, age: 10.5, colour: 'blue' } }),
        on(1, 'car', { attributes: { occluded: true, age: '3' } }),
        on(2, 'car', { shape: box(1) }),
      ],
    });
    const found = (filter: object, name = 'labels'): Promise<string[]> => {
      const vql = JSON.stringify([{ [name]: { op: 'one_of', value: ['car'], source: 'a', ...filter } }]);
      return additions.filesFound(dataset, `vql=${encodeURIComponent(vql)}`);
    };
    expect(await found({ attributes: { occluded: true } })).toEqual(['0.jpg', '1.jpg']);
    expect(await found({ attributes: { age: 3 } })).toEqual(['0.jpg']);
    expect(await found({ attributes: { age: [3, 10.4] }, count: 2 })).toEqual([]);
    expect(await found({ attributes: { age: [3, 10.5], colour: ['red', 'blue'] }, count: 2 })).toEqual(['0.jpg']);
    expect(await found({ attributes: { occluded: true, colour: 'blue' } })).toEqual([]);
    expect(await found({ op: 'not_one_of', attributes: { occluded: true } })).toEqual(['2.jpg']);
    expect(await found({ value: ['unlabeled'], attributes: { colour: 'red' } })).toEqual(['1.jpg', '2.jpg']);
    expect(await found({}, 'objects')).toEqual(['0.jpg', '2.jpg']);
    expect(await found({ attributes: { occluded: true } }, 'objects')).toEqual(['0.jpg']);
    expect(await found({ value: ['unlabeled'] }, 'objects')).toEqual(['1.jpg']);
    // Without a source, those of people.
    expect(await found({ source: undefined }, 'objects')).toEqual([]);
    await send({ source: 'ground_truth', annotations: [on(1, 'car', { shape: box(1) }), on(2, 'car')] });
    expect(await found({ source: undefined }, 'objects')).toEqual(['1.jpg']);
    const both = JSON.stringify([
      { objects: { op: 'one_of', value: ['car'] } },
      { labels: { op: 'is', value: ['car'], source: 'a', attributes: { age: '3' } } },
    ]);
    expect(await additions.filesFound(dataset, `vql=${encodeURIComponent(both)}`)).toEqual(['1.jpg']);
  });

  it('are counted by label for a source', async () => {
    const on = (file: number, label: string, rest: object = {}) => ({ file_name: `${file}.jpg`, label, ...rest });
    await send({
      source: 'f',
      annotations: [on(0, 'cat', { shape: box(1) }), on(0, 'cat'), on(0, 'dog'), on(1, 'cat', { confidence: 0.2 })],
    });
    const counted = async (source: string, ...vql: object[]): Promise<object> => {
      const asked = `source=${source}&vql=${encodeURIComponent(JSON.stringify(vql))}`;
      const found = await additions.api.must<{ labels: { value: string; count: number }[] }>(
        ...([200, 'GET', `/api/v1/dataset/${dataset}/facets?${asked}`] as const),
      );
      const labels = Object.fromEntries(found.labels.map(({ value, count }) => [value, count]));
      return { ...found, labels };
    };
    const all = { labels: { cat: 2, dog: 1 }, labels_total: 2, unlabeled: 1 };
    expect(await counted('f')).toMatchObject({ ...all, total: 3 });
    // The filter of the source itself leaves out no label; others do.
    const ofSource = { labels: { op: 'one_of', value: ['dog'], source: 'f' } };
    expect(await counted('f', ofSource)).toMatchObject({ ...all, total: 1 });
    expect(await counted('f', { files: { op: 'one_of', value: '1.jpg' } })).toMatchObject({
      ...{ total: 1, labels: { cat: 1 }, unlabeled: 0 },
    });
    const found = (options: object) => ({ labels: { ...ofSource.labels, ...options } });
    expect(await counted('f', found({ confidence: [0.1, 1] }))).toMatchObject({
      ...{ total: 0, labels: { cat: 1 }, unlabeled: 2 },
    });
    expect(await counted('f', found({ value: ['dog', 'unlabeled'], area: [1, 1e6] }))).toMatchObject({
      ...{ total: 2, labels: { cat: 1 }, unlabeled: 2 },
    });
    expect(await counted('f', found({ op: 'not_one_of', value: ['unlabeled'], count: 2 }))).toMatchObject({
      ...{ total: 1, labels: { cat: 1 }, unlabeled: 0 },
    });
    expect(await counted('f', { objects: ofSource.labels })).toMatchObject({ labels: { cat: 1 }, unlabeled: 2 });
    // What is asked of another source counts for that one.
    await send({ source: 'o', annotations: [on(0, 'dog', { confidence: 0.6 })] });
    expect(await counted('f', found({ source: 'o', confidence: [0.6, 0.6] }))).toMatchObject({
      ...{ total: 1, labels: { cat: 1, dog: 1 }, unlabeled: 0 },
    });
    expect(await counted('g', ofSource)).toMatchObject({ total: 1, labels: {}, unlabeled: 1 });
    expect(await counted('f&search=do')).toMatchObject({ labels: { dog: 1 } });
    // A later file replaces what an earlier one says about a picture.
    await send({ source: 'f', mode: 'replace', annotations: [on(0, 'bird')] });
    expect(await counted('f')).toMatchObject({ labels: { cat: 1, bird: 1 }, unlabeled: 1 });
    for (const source of ['', '%00', 'x'.repeat(101), 'a&source=b'])
      expect(await additions.api.ask('GET', `/api/v1/dataset/${dataset}/facets?source=${source}`)).toMatchObject({
        status: 422,
      });
  });

  it('are refused with the place of what is wrong', async () => {
    const refused = async (annotation: object, more: object = {}): Promise<string[]> => {
      const { status, body } = await additions.api.ask('POST', path(), {
        source: 'r',
        annotations: [{ file_name: '0.jpg', label: 'x', ...annotation }],
        ...more,
      });
      expect(status).toBe(422);
      return (body as { detail: { loc: (string | number)[] }[] }).detail.map(({ loc }) => loc.join('.'));
    };
    const at = 'body.annotations.0';
    expect(await refused({ shape: { type: 'box', x: 1, y: 2, width: -1, height: 1 } })).toEqual([`${at}.shape.width`]);
    expect(await refused({ shape: { type: 'polygon', rings: [[1, 2, 3, 4]] } })).toEqual([`${at}.shape.rings.0`]);
    expect(await refused({ shape: { type: 'polygon', rings: [[1, 2, 3, 4, 5, 6, 7]] } })).toEqual([
      `${at}.shape.rings.0`,
    ]);
    expect(await refused({ shape: { type: 'mask', width: 160, height: 120, counts: '0' } })).toEqual([
      `${at}.shape.counts`,
    ]);
    expect(await refused({ shape: { type: 'keypoints', points: [1, 2, 3] } })).toEqual([`${at}.shape.points`]);
    expect(await refused({ confidence: 1.01 })).toEqual([`${at}.confidence`]);
    expect(await refused({ label: undefined })).toEqual([`${at}.label`]);
    expect(await refused({ labels: ['x'] })).toEqual([at]);
    expect(await refused({ file_name: undefined })).toEqual([at]);
    expect(await refused({}, { mode: 'mix' })).toEqual(['body.mode']);
    expect(await additions.api.must(200, 'GET', `${path()}?source=r`)).toMatchObject({ total: 0 });
  });
});
