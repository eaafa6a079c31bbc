import { Additions } from '../../support/additions';
import { SnapshotClient } from '../../support/snapshot-client';
import { startTestApp, type TestApp } from '../../support/test-app';

interface Listed {
  readonly id: string;
  readonly media_id: string;
  readonly file_path: string;
  readonly label: string;
  readonly shape: object | null;
  readonly confidence: number | null;
  readonly created_by: string | null;
}

describe('what people and models said about the media of a table', () => {
  let running: TestApp;
  let additions: Additions;
  let source: string;

  beforeAll(async () => {
    running = await startTestApp();
    additions = new Additions(running);
    // Pictures of 160 by 120 pixels.
    source = await additions.writeFolder('Said', [0, 1, 2]);
  });

  afterAll(() => running.close());

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
});
