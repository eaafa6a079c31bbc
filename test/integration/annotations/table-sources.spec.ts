import { Additions } from '../../support/additions';
import { filesForm } from '../../support/api-client';
import { SnapshotClient } from '../../support/snapshot-client';
import { runningApp } from '../../support/test-app';

interface Listed {
  readonly id: string;
  readonly media_id: string;
  readonly file_path: string;
  readonly label: string;
  readonly shape: object | null;
  readonly confidence: number | null;
  readonly version: number;
  readonly created_by: string | null;
}

describe('what people and models said about the media of a table', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let source: string;

  beforeAll(async () => {
    // Pictures of 160 by 120 pixels.
    source = await additions.writeFolder('Said', [0, 1, 2]);
  });

  const annotate = async (id: string, annotations: readonly object[], mode = 'add'): Promise<void> => {
    await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/annotations`, { mode, annotations });
    await additions.api.untilStatus(id, ['READY']);
  };
  const list = async (id: string, query: string): Promise<Listed[]> => {
    const path = `/api/v1/dataset/${id}/annotations?${query}`;
    const { annotations, total } = await additions.api.must<{ annotations: Listed[]; total: number }>(200, 'GET', path);
    expect(total).toBe(annotations.length);
    return annotations;
  };
  const sources = async (id: string): Promise<object[]> =>
    (await additions.api.must<{ sources: object[] }>(200, 'GET', `/api/v1/dataset/${id}/annotation_sources`)).sources;
  const found = async (id: string, labels: object): Promise<number> =>
    (await additions.filesFound(id, `vql=${encodeURIComponent(JSON.stringify([{ labels }]))}`)).length;
  const box = { x: 0.25, y: 0.5, width: 0.5, height: 0.25 };
  const pixels = { type: 'box', x: 40, y: 60, width: 80, height: 30 };

  it('are sources: labels and marked boxes, and boxes with a confidence', async () => {
    const id = await additions.indexed('Said', source);
    expect(await sources(id)).toEqual([expect.objectContaining({ name: 'ground_truth', kind: 'truth', n_labels: 0 })]);
    await annotate(id, [
      { file_name: '0.jpg', labels: ['cat', 'pet'], objects: [{ label: 'ear', bounding_box: box }] },
      { file_name: '2.jpg', labels: ['cat'], objects: [{ label: 'nose', bounding_box: box, confidence: 0.1 + 0.2 }] },
    ]);
    const truth = await list(id, 'source=ground_truth');
    expect(truth.map(({ file_path: path, label, shape, created_by: by }) => [path, label, shape, by])).toEqual(
      expect.arrayContaining([
        ['0.jpg', 'cat', null, null],
        ['0.jpg', 'pet', null, null],
        ['0.jpg', 'ear', pixels, null],
        ['2.jpg', 'cat', null, null],
      ]),
    );
    expect(truth).toHaveLength(4);
    expect(await list(id, 'source=imported_predictions')).toEqual([
      expect.objectContaining({ file_path: '2.jpg', label: 'nose', shape: pixels, confidence: 0.1 + 0.2 }),
    ]);
    expect(await sources(id)).toEqual([
      expect.objectContaining({ name: 'ground_truth', kind: 'truth', model_id: null, n_labels: 3, n_boxes: 1 }),
      expect.objectContaining({ name: 'imported_predictions', kind: 'predictions', n_labels: 0, n_boxes: 1 }),
    ]);
    expect(await list(id, 'label=cat')).toHaveLength(2);
    const of = (values: object) => ({ op: 'one_of', source: 'ground_truth', ...values });
    expect(await found(id, of({ value: ['cat'] }))).toBe(2);
    expect(await found(id, of({ value: ['ear'], area: [2400, 2400] }))).toBe(1);
    expect(await found(id, of({ value: ['ear'], area: [2401, 9999] }))).toBe(0);
    expect(await found(id, of({ value: ['unlabeled'] }))).toBe(1);
    expect(
      await found(id, { op: 'one_of', value: ['nose'], source: 'imported_predictions', confidence: [0.3, 1] }),
    ).toBe(1);
  });

  it('are predictions that equal marked boxes too, all of them, to the last digit', async () => {
    const id = await additions.indexed('Equal', source);
    const boxes = [0, 1, 2].flatMap((picture) =>
      [0, 1, 2].map((at) => ({
        ...{ file_name: `${picture}.jpg`, label: `thing ${at}`, confidence: 1 / (3 + at + picture) },
        box: { x: 100 / 7 + at, y: 0.1 + 0.2, width: 70 + 1 / 3, height: 60 - at / 9 },
      })),
    );
    const give = async (isPrediction: boolean): Promise<void> => {
      const lines = boxes.map(({ file_name: name, label, confidence, box: { x, y, width, height } }) =>
        [name, x, y, width, height, label, ...(isPrediction ? [confidence] : [])].join(','),
      );
      const header = `filename,col_x,row_y,width,height,label${isPrediction ? ',confidence' : ''}`;
      const bytes = Buffer.from([header, ...lines, ''].join('\n'));
      const form = filesForm([{ name: 'object_annotations.csv', bytes }]);
      await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/annotations/files`, form);
      await additions.api.untilStatus(id, ['READY']);
    };
    const predictions = async (): Promise<unknown[]> =>
      (await list(id, 'source=imported_predictions'))
        .map(({ file_path: path, label, shape, confidence }) => ({ path, label, shape, confidence }))
        .sort((a, b) => `${a.path}${a.label}`.localeCompare(`${b.path}${b.label}`));
    const expected = boxes.map(({ file_name: path, label, confidence, box: each }) => ({
      ...{ path, label, confidence, shape: { type: 'box', ...each } },
    }));
    await give(false);
    const objects = async (): Promise<number> =>
      (await additions.rows(id)).filter(({ kind }) => kind === 'OBJECT').length;
    await give(true);
    expect(await predictions()).toEqual(expected);
    expect(await objects()).toBe(9);
    await give(true);
    await annotate(id, [{ file_name: '0.jpg', labels: ['pet'] }]);
    expect(await predictions()).toEqual(expected);
    expect(await sources(id)).toEqual([
      expect.objectContaining({ name: 'ground_truth', n_labels: 1, n_boxes: 9 }),
      expect.objectContaining({ name: 'imported_predictions', n_boxes: 9 }),
    ]);
    const sure = { op: 'one_of', value: ['thing 0'], source: 'imported_predictions', confidence: [0.3, 1] };
    expect(await found(id, sure)).toBe(1);
    await annotate(
      id,
      [{ file_name: '1.jpg', objects: [{ label: 'new', bounding_box: box, confidence: 0.5 }] }],
      'replace',
    );
    expect((await predictions()).length).toBe(7);
    expect(await objects()).toBe(10);
  });

  it('keep their ids in snapshots and when others are given', async () => {
    const id = await additions.indexed('Kept', source);
    await annotate(id, [{ file_name: '1.jpg', labels: ['dog'], objects: [{ label: 'tail', bounding_box: box }] }]);
    const before = await list(id, 'source=ground_truth');
    const { snapshot_id: snapshot } = await new SnapshotClient(additions.api).keep(id, 'before');
    await annotate(id, [{ file_name: '1.jpg', labels: ['pet'] }]);
    const after = await list(id, 'source=ground_truth');
    expect(after.map(({ id: of }) => of)).toEqual(expect.arrayContaining(before.map(({ id: of }) => of)));
    expect(after).toHaveLength(3);
    expect(await list(id, `source=ground_truth&snapshot_id=${snapshot}`)).toEqual(before);
  });

  describe('changed beside the table', () => {
    const change = (id: string, body: object): Promise<object> =>
      additions.api.must(200, 'POST', `/api/v1/dataset/${id}/annotations`, { source: 'ground_truth', ...body });
    const facet = async (id: string): Promise<Record<string, number>> => {
      const { labels } = await additions.api.must<{ labels: { value: string; count: number }[] }>(
        200,
        'GET',
        `/api/v1/dataset/${id}/facets`,
      );
      return Object.fromEntries(labels.map(({ value, count }) => [value, count]));
    };
    const labelsOf = async (id: string, name: string): Promise<readonly string[]> => {
      const [row] = (await additions.rows(id)).filter(({ fileName }) => fileName === name);
      const path = `/api/v1/dataset/${id}/media/${row!.id}`;
      const { label_sources: labels } = await additions.api.must<{ label_sources: { label: string }[] }>(
        ...([200, 'GET', path] as const),
      );
      return labels.map(({ label }) => label).sort();
    };
    const idOf = async (id: string, label: string): Promise<string> =>
      (await list(id, `source=ground_truth&label=${label}`))[0]!.id;

    it('are the labels everywhere at once, and stay when the table is written anew', async () => {
      const id = await additions.indexed('Changed', source);
      await annotate(id, [
        { file_name: '0.jpg', labels: ['cat', 'pet'] },
        { file_name: '1.jpg', labels: ['dog'] },
      ]);
      const { snapshot_id: snapshot } = await new SnapshotClient(additions.api).keep(id, 'before');
      await change(id, {
        mode: 'merge',
        annotations: [{ file_name: '0.jpg', id: await idOf(id, 'cat'), label: 'lynx' }],
      });
      await change(id, { annotations: [{ file_name: '2.jpg', label: 'lynx' }] });
      await change(id, { mode: 'delete', annotations: [{ file_name: '1.jpg', id: await idOf(id, 'dog') }] });
      expect(await additions.api.must(200, 'GET', `/api/v1/dataset/${id}`)).toMatchObject({ status_new: 'READY' });
      const expectNow = async (): Promise<void> => {
        expect(await facet(id)).toMatchObject({ lynx: 2, pet: 1 });
        expect(await facet(id)).not.toHaveProperty('cat');
        expect(await labelsOf(id, '0.jpg')).toEqual(['lynx', 'pet']);
        expect(await labelsOf(id, '1.jpg')).toEqual([]);
        expect(await found(id, { op: 'one_of', value: ['lynx'] })).toBe(2);
        expect(await found(id, { op: 'one_of', value: ['dog'] })).toBe(0);
        expect(await sources(id)).toEqual([expect.objectContaining({ name: 'ground_truth', n_labels: 3 })]);
      };
      await expectNow();
      expect((await list(id, `snapshot_id=${snapshot}`)).map(({ label }) => label).sort()).toEqual([
        'cat',
        'dog',
        'pet',
      ]);
      const diff = `/api/v1/dataset/${id}/snapshot/${snapshot}/diff`;
      expect(await additions.api.must(200, 'GET', diff)).toMatchObject({
        ...{ added: { count: 0 }, removed: { count: 0 }, changed: { labels: { count: 3 }, captions: { count: 0 } } },
      });
      await annotate(id, [{ file_name: '0.jpg', caption: 'on a rock' }]);
      await expectNow();
      await annotate(id, [{ file_name: '0.jpg', labels: ['wild'] }]);
      expect(await labelsOf(id, '0.jpg')).toEqual(['lynx', 'pet', 'wild']);
      await annotate(id, [{ file_name: '0.jpg', labels: ['ghost'] }], 'replace');
      expect(await labelsOf(id, '0.jpg')).toEqual(['ghost']);
      expect(await facet(id)).toMatchObject({ lynx: 1, ghost: 1 });
    });

    it('relabel marked objects, and keep shapes that no table has', async () => {
      const id = await additions.indexed('Relabelled', source);
      await annotate(id, [{ file_name: '0.jpg', objects: [{ label: 'ear', bounding_box: box }] }]);
      const [{ id: ear, version } = {}] = await list(id, 'label=ear');
      await annotate(id, [{ media_id: ear, labels: ['lobe'] }], 'replace');
      const seen = { file_name: '0.jpg', id: ear, label: 'horn', shape: pixels };
      const late = { source: 'ground_truth', mode: 'merge', annotations: [{ ...seen, version }] };
      const answer = await additions.api.ask('POST', `/api/v1/dataset/${id}/annotations`, late);
      expect(answer).toMatchObject({ status: 409, body: { conflicts: [{ current: { label: 'lobe' } }] } });
      const ring = [0, 0, 9, 0, 9, 9.5];
      await change(id, {
        annotations: [{ file_name: '0.jpg', label: 'sea', shape: { type: 'polygon', rings: [ring] } }],
      });
      const [lobe] = await list(id, 'label=lobe');
      await change(id, { mode: 'merge', annotations: [{ ...seen, version: lobe!.version }] });
      const objects = async (): Promise<(readonly string[])[]> =>
        (await additions.rows(id)).filter(({ kind }) => kind === 'OBJECT').map(({ labels }) => labels);
      const clustersWith = async (label: string): Promise<number> => {
        const vql = encodeURIComponent(JSON.stringify([{ labels: { op: 'one_of', value: [label] } }]));
        const path = `/api/v1/explore/${id}?entity_type=OBJECTS&vql=${vql}`;
        return (await additions.api.must<{ clusters: object[] }>(200, 'GET', path)).clusters.length;
      };
      expect([await clustersWith('horn'), await clustersWith('ear')]).toEqual([1, 0]);
      await annotate(id, [{ file_name: '0.jpg', objects: [{ label: 'tail', bounding_box: { ...box, y: 0 } }] }]);
      expect((await objects()).flat().sort()).toEqual(['horn', 'tail']);
      expect((await list(id, 'source=ground_truth')).map(({ label }) => label).sort()).toEqual(['horn', 'sea', 'tail']);
      expect(await list(id, 'label=horn')).toEqual([expect.objectContaining({ id: ear, shape: pixels })]);
    });

    it('cannot be renamed or removed, and findings of models stay as they are', async () => {
      const id = await additions.indexed('Fixed', source);
      await annotate(id, [{ file_name: '2.jpg', objects: [{ label: 'nose', bounding_box: box, confidence: 0.5 }] }]);
      const path = `/api/v1/dataset/${id}/annotation_sources/ground_truth`;
      expect(await additions.api.ask('DELETE', path)).toMatchObject({ status: 409 });
      expect(await additions.api.ask('PATCH', path, { name: 'x' })).toMatchObject({ status: 409 });
      const body = { source: 'imported_predictions', annotations: [{ file_name: '0.jpg', label: 'x' }] };
      expect(await additions.api.ask('POST', `/api/v1/dataset/${id}/annotations`, body)).toMatchObject({
        status: 409,
        body: { detail: expect.stringContaining('Correct it in ground_truth') as unknown },
      });
    });
  });
});
