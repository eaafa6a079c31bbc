import type { MediaRow } from '../../../src/common/engine/media-table/media-row';
import { textOfRuns } from '../../../src/common/engine/annotations/mask-runs';
import { Additions } from '../../support/additions';
import { ExportClient } from '../../support/export-client';
import { runningApp } from '../../support/test-app';

const UUID = '0195a9c0-0000-7000-8000-00000000000a';

interface Listed {
  readonly id: string;
  readonly label: string;
  readonly file_path: string;
}

describe('objects that are made of what a source marks', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let source: string;

  beforeAll(async () => {
    // Pictures of 160 by 120 pixels.
    source = await additions.writeFolder('Marked', [0, 1, 2]);
  });

  const annotate = (id: string, body: object): Promise<object> =>
    additions.api.must(200, 'POST', `/api/v1/dataset/${id}/annotations`, body);
  const make = async (id: string, name = 'detector-a'): Promise<void> => {
    const path = `/api/v1/dataset/${id}/annotation_sources/${name}/objects`;
    const { task_id: task } = await additions.api.must<{ task_id: string }>(202, 'POST', path);
    await additions.api.untilStatus(id, ['READY']);
    const [last] = await additions.tasks(id);
    expect(last).toMatchObject({ task_id: task, task_type: 'ANNOTATION', status: 'COMPLETED' });
  };
  const objects = async (id: string): Promise<MediaRow[]> =>
    (await additions.rows(id)).filter(({ kind }) => kind === 'OBJECT');
  const said = async (id: string): Promise<unknown[]> =>
    (await objects(id)).map(({ path, labels, objectSource }) => [path, labels[0], objectSource]).sort();
  const list = async (id: string, name: string): Promise<Listed[]> => {
    const path = `/api/v1/dataset/${id}/annotations?source=${name}`;
    return (await additions.api.must<{ annotations: Listed[] }>(200, 'GET', path)).annotations;
  };
  const sources = async (id: string): Promise<object[]> =>
    (await additions.api.must<{ sources: object[] }>(200, 'GET', `/api/v1/dataset/${id}/annotation_sources`)).sources;
  const box = (x: number, y: number, width = 40, height = 30) => ({ type: 'box', x, y, width, height });
  const of = (name: string, id: string, label: string, shape: object, more: object = {}) => ({
    ...{ file_name: name, id, label, shape },
    ...more,
  });

  it('have the box around each shape, and are made once', async () => {
    const id = await additions.indexed('Made', source);
    await annotate(id, {
      source: 'detector-a',
      annotations: [
        of('0.jpg', 'b', 'boat', box(40, 60), { confidence: 1 / 3 }),
        of('1.jpg', 'b', 'boat', box(40, 60), { confidence: 0.5 }),
        of('1.jpg', 'p', 'sea', { type: 'polygon', rings: [[16, 12, 96, 12, 96, 72, 16, 60]] }),
        // Half the size of its picture.
        of('1.jpg', 'm', 'sky', { type: 'mask', width: 80, height: 60, counts: textOfRuns([2_400, 1_200, 1_200]) }),
        of('2.jpg', 'k', 'eye', {
          type: 'keypoints',
          points: [0, 0, 0, 8, 6, 2, 48, 36, 1],
        }),
        { file_name: '2.jpg', label: 'water' },
      ],
    });
    await make(id);
    const first = await objects(id);
    expect(first.map(({ path, labels, box: at }) => [path, labels, at]).sort()).toEqual([
      ['0.jpg', ['boat'], { x: 0.25, y: 0.5, width: 0.25, height: 0.25 }],
      ['1.jpg', ['boat'], { x: 0.25, y: 0.5, width: 0.25, height: 0.25 }],
      ['1.jpg', ['sea'], { x: 0.1, y: 0.1, width: 0.5, height: 0.5 }],
      ['1.jpg', ['sky'], { x: 0.5, y: 0, width: 0.25, height: 1 }],
      ['2.jpg', ['eye'], { x: 0.05, y: 0.05, width: 0.25, height: 0.25 }],
    ]);
    expect(first.map(({ generatedLabels }) => generatedLabels?.[0]?.confidence ?? 0).sort()).toEqual([
      0,
      0,
      0,
      1 / 3,
      0.5,
    ]);
    expect(
      first.every(({ embedding, clusters, objectSource }) => {
        return embedding !== null && clusters[0] >= 0 && objectSource === 'detector-a';
      }),
    ).toBe(true);
    const { pointer: before } = await additions.get(id);
    await make(id);
    expect((await additions.get(id)).pointer).toEqual(before);
    expect(await sources(id)).toEqual([
      expect.objectContaining({
        name: 'detector-a',
        n_boxes: 2,
        n_polygons: 1,
        n_masks: 1,
        n_keypoints: 1,
        n_labels: 1,
      }),
      expect.objectContaining({ name: 'ground_truth', n_boxes: 0 }),
    ]);
    const media = first.find(({ path }) => path === '0.jpg')!;
    expect(await additions.api.must(200, 'GET', `/api/v1/dataset/${id}/media/${media.id}`)).toMatchObject({
      label_sources: [{ label: 'boat', source: 'detector-a', annotation_source: 'detector-a', confidence: 1 / 3 }],
    });
  });

  it('follow their annotations, and go with their source', async () => {
    const id = await additions.indexed('Followed', source);
    const name = 'annotator-2';
    const given = [
      of('0.jpg', 'a', 'cat', box(0, 0)),
      of('0.jpg', 'b', 'dog', box(8, 8)),
      of('1.jpg', 'a', 'cat', box(0, 0)),
    ];
    await annotate(id, { source: name, kind: 'truth', annotations: given });
    await annotate(id, { source: 'other', annotations: [of('0.jpg', 'a', 'cat', box(0, 0))] });
    await make(id, name);
    const before = new Map((await objects(id)).map((row) => [`${row.path} ${row.labels[0]}`, row]));
    await annotate(id, {
      source: name,
      mode: 'merge',
      annotations: [of('0.jpg', 'a', 'lynx', box(4, 4)), of('2.jpg', 'c', 'cow', box(1, 1))],
    });
    await annotate(id, { source: name, mode: 'delete', annotations: [{ file_name: '0.jpg', id: 'b' }] });
    await make(id, 'other');
    expect(await said(id)).toHaveLength(4);
    await make(id, name);
    expect(await said(id)).toEqual([
      ['0.jpg', 'cat', 'other'],
      ['0.jpg', 'lynx', name],
      ['1.jpg', 'cat', name],
      ['2.jpg', 'cow', name],
    ]);
    const after = await objects(id);
    const [lynx, cat] = ['0.jpg lynx', '1.jpg cat'].map((key) =>
      after.find((row) => row.objectSource === name && `${row.path} ${row.labels[0]}` === key)!,
    );
    expect([lynx!.id, cat!.id]).toEqual([before.get('0.jpg cat')!.id, before.get('1.jpg cat')!.id]);
    expect(lynx!.box).toMatchObject({ x: 4 / 160, y: 4 / 120 });
    await additions.api.must(204, 'DELETE', `/api/v1/dataset/${id}/annotation_sources/${name}`);
    await make(id, 'other');
    expect(await said(id)).toEqual([['0.jpg', 'cat', 'other']]);
    const client = new ExportClient(additions.api);
    const archive = await client.archive(id, await client.start(id, 'export_format=coco'));
    expect(JSON.parse([...archive.values()][0]!.toString())).toMatchObject({ annotations: [] });
  });

  it('of ground_truth have the ids of their annotations, and stay in line with them', async () => {
    const id = await additions.indexed('Truth', source);
    const objectsOf = [{ label: 'ear', bounding_box: { x: 0.5, y: 0.5, width: 0.25, height: 0.25 } }];
    await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/annotations`, {
      annotations: ['0.jpg', '1.jpg'].map((name) => ({ file_name: name, objects: objectsOf })),
    });
    await additions.api.untilStatus(id, ['READY']);
    const [ear] = (await list(id, 'ground_truth')).filter(({ file_path: path }) => path === '0.jpg');
    await annotate(id, {
      source: 'ground_truth',
      annotations: [
        of('0.jpg', UUID, 'cat', box(0, 0)),
        of('2.jpg', UUID, 'dog', box(0, 0)),
        of('2.jpg', 'mine', 'cow', box(8, 8)),
        of('2.jpg', 'sea', 'sea', { type: 'polygon', rings: [[16, 12, 96, 12, 96, 72, 16, 60]] }),
      ],
    });
    await annotate(id, { source: 'ground_truth', mode: 'delete', annotations: [{ file_name: '0.jpg', id: ear!.id }] });
    await make(id, 'ground_truth');
    const expected = [
      ['0.jpg', 'cat', null],
      ['1.jpg', 'ear', null],
      ['2.jpg', 'cow', null],
      ['2.jpg', 'dog', null],
      ['2.jpg', 'sea', null],
    ];
    expect(await said(id)).toEqual(expected);
    expect((await objects(id)).filter((row) => row.id === UUID).map(({ path }) => path)).toHaveLength(1);
    const { pointer: before } = await additions.get(id);
    await make(id, 'ground_truth');
    expect((await additions.get(id)).pointer).toEqual(before);
    const truth = (): Promise<string[]> =>
      list(id, 'ground_truth').then((all) => all.map((each) => `${each.file_path} ${each.label}`).sort());
    expect(await truth()).toEqual(expected.map(([path, label]) => `${path} ${label}`));
    await annotate(id, { source: 'ground_truth', mode: 'merge', annotations: [of('2.jpg', 'mine', 'ox', box(8, 8))] });
    expect((await said(id)).map((each) => (each as string[])[1])).toEqual(['cat', 'ear', 'dog', 'ox', 'sea']);
    await additions.api.must(202, 'POST', `/api/v1/dataset/${id}/annotations`, {
      mode: 'replace',
      annotations: [{ file_name: '2.jpg', labels: ['farm'], objects: [] }],
    });
    await additions.api.untilStatus(id, ['READY']);
    expect(await truth()).toEqual(['0.jpg cat', '1.jpg ear', '2.jpg farm', '2.jpg sea']);
    await make(id, 'ground_truth');
    expect((await said(id)).map((each) => (each as string[])[1])).toEqual(['cat', 'ear', 'sea']);
  });

  it('are refused of a source that is not there, or that is part of the table', async () => {
    const id = await additions.indexed('Refused', source);
    const ask = (name: string) => additions.api.ask('POST', `/api/v1/dataset/${id}/annotation_sources/${name}/objects`);
    expect(await ask('nobody')).toMatchObject({ status: 404, body: { detail: 'Annotation source not found' } });
    expect(await ask('imported_predictions')).toMatchObject({ status: 409 });
  });
});
