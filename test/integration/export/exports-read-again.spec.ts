import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { shapeKindOf, type Shape } from '../../../src/common/engine/annotations/annotation';
import { fitted, Losses } from '../../../src/common/engine/annotation-formats/fit-annotations';
import { fromPresented } from '../../../src/common/engine/annotation-formats/read-presented';
import { NO_SHAPES } from '../../../src/modules/versions';
import { annotationFormat, EXPORT_FORMATS, type ExportFormat } from '../../../src/modules/export/archive/formats';
import { Additions, type UpdateTask } from '../../support/additions';
import { tarOf, zipOf } from '../../support/archive-bytes';
import { formOf } from '../../support/api-client';
import { ExportClient } from '../../support/export-client';
import { SAID_SHAPES } from '../../support/said-shapes';
import { runningApp } from '../../support/test-app';

interface Listed extends Record<string, unknown> {
  readonly id: string;
  readonly file_path: string;
  readonly label: string;
}

const PICTURES = ['0.jpg', '1.jpg', '2.jpg'];
/** Masks of tracks become polygons in CVAT. */
const SAID = SAID_SHAPES.map((each) => ('crowd' in each ? { ...each, track_id: '8' } : each));
const SHAPES = { ...NO_SHAPES, label: 1, box: 1, polygon: 1, mask: 1, keypoints: 1 };

describe('an exported source', () => {
  const running = runningApp();
  const additions = new Additions(running);
  let exports: ExportClient;
  let dataset: string;

  beforeAll(async () => {
    exports = new ExportClient(additions.api);
    // Pictures of 160 by 120 pixels.
    dataset = await additions.indexed('Exported', await additions.writeFolder('Pictures', [0, 1, 2]));
    await additions.api.must(200, 'POST', path('annotations'), { source: 'shapes', annotations: SAID });
  });

  const path = (rest: string): string => `/api/v1/dataset/${dataset}/${rest}`;
  const exported = async (format: ExportFormat, images: boolean): Promise<Map<string, Buffer>> => {
    const query = `export_format=${format}&source=shapes&include_images=${images}`;
    return exports.archive(dataset, await exports.start(dataset, query));
  };
  const sent = async (source: string, name: string, bytes: Buffer): Promise<UpdateTask> => {
    const form = new FormData();
    form.set('source', source);
    form.append('files', new Blob([new Uint8Array(bytes)]), name);
    const { task_id: task } = await additions.api.must<{ task_id: string }>(
      202,
      'POST',
      path('annotations/files'),
      form,
    );
    return additions.ended(dataset, task);
  };
  const listed = async (source: string): Promise<Listed[]> =>
    (await additions.api.must<{ annotations: Listed[] }>(200, 'GET', path(`annotations?source=${source}&limit=100`)))
      .annotations;
  const kindsOf = (annotations: readonly (Shape & { readonly path: string; readonly label: string })[]): string[] =>
    annotations.map((each) => `${each.path} ${each.label} ${shapeKindOf(each)}`).sort();
  const zipped = (members: ReadonlyMap<string, Buffer>): Buffer =>
    zipOf(Array.from(members, ([name, bytes]) => ({ name, bytes })));
  const tarred = (members: ReadonlyMap<string, Buffer>): Buffer =>
    tarOf(Array.from(members, ([name, bytes]) => ({ name, bytes })));

  // Pictures in folders of their labels have other paths than they had.
  it.each(EXPORT_FORMATS.filter((format) => format !== 'class_folders'))(
    'as %s is read again from its archive, up to what the format cannot hold',
    async (format) => {
      const { holds } = annotationFormat(format, SHAPES);
      const members = await exported(format, false);
      expect(await sent(`zip-${format}`, 'export.zip', zipped(members))).toMatchObject({
        status: 'COMPLETED',
        warnings: [],
      });
      const source = await listed('shapes');
      const expected = PICTURES.flatMap((picture) => {
        const own = source.filter(({ file_path: at }) => at === picture).map(fromPresented);
        const { annotations } = fitted(
          { path: picture, width: 160, height: 120, annotations: own },
          holds,
          new Losses(),
        );
        return annotations.map((each) => ({ path: picture, ...each }));
      });
      const read = (await listed(`zip-${format}`)).map((each) => ({ path: each.file_path, ...fromPresented(each) }));
      expect(kindsOf(read)).toEqual(kindsOf(expected));
      if (holds.ids) expect(read.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
    },
  );

  it('as class_folders is a dataset with the same labels', async () => {
    const label = (file: string, name: string) => ({ file_name: file, label: name });
    const annotations = [label('0.jpg', 'café, "au lait"'), label('1.jpg', 'harbour'), label('2.jpg', 'a/b')];
    await additions.api.must(200, 'POST', path('annotations'), { source: 'classes', annotations });
    const query = 'export_format=class_folders&source=classes';
    const preview = await additions.api.must<object>(200, 'GET', path(`export_preview?${query}`));
    const similar = { what: 'labels', count: 2, becomes: 'similar names of folders' };
    expect(preview).toMatchObject({ losses: expect.arrayContaining([similar]) as unknown });
    const members = await exports.archive(dataset, await exports.start(dataset, `${query}&include_images=true`));
    const folder = additions.place('Unpacked');
    for (const [name, bytes] of members) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), bytes);
    }
    const form = formOf({ dataset_name: 'Read again', bucket_path: folder, labels_from_folders: 'true' });
    const { dataset_id: id } = await additions.api.must<{ dataset_id: string }>(200, 'POST', '/api/v1/dataset', form);
    await additions.api.untilStatus(id, ['READY']);
    const rows = await additions.rows(id);
    expect(Object.fromEntries(rows.map(({ fileName, labels }) => [fileName, labels]))).toEqual({
      ...{ '0.jpg': ['café, _au lait_'], '1.jpg': ['harbour'], '2.jpg': ['a_b'] },
    });
  });

  it.each(['cvat', 'mot'] as const)('as %s matches its frames in a preview', async (format) => {
    const form = new FormData();
    form.set('source', 'previewed');
    form.set('preview', 'true');
    form.append('files', new Blob([new Uint8Array(zipped(await exported(format, false)))]), 'export.zip');
    const preview = await additions.api.must<object>(200, 'POST', path('annotations/files'), form);
    expect(preview).toMatchObject({ format, unmatched: { count: 0 } });
  });

  it.each(['coco', 'yolo', 'voc'] as const)('as %s is read from a tar with pictures', async (format) => {
    const members = await exported(format, true);
    expect(await sent(`tar-${format}`, 'export.tar', tarred(members))).toMatchObject({
      status: 'COMPLETED',
      warnings: [],
    });
    const [tar, zip] = [await listed(`tar-${format}`), await listed(`zip-${format}`)];
    const withoutIds = (all: readonly Listed[]): string[] =>
      all.map(({ file_path: at, label, shape }) => JSON.stringify([at, label, shape])).sort();
    expect(withoutIds(tar)).toEqual(withoutIds(zip));
    expect(tar.length).toBeGreaterThan(0);
  });

  it('is read to the last digit by the formats that hold everything', async () => {
    const whole = (all: readonly Listed[]): object[] =>
      all
        .map(({ id, file_path: at, label, shape, confidence, attributes, crowd, track_id: track }) => ({
          ...{ id, at, label, shape, confidence, attributes, crowd, track },
        }))
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    const source = whole(await listed('shapes'));
    for (const format of ['coco', 'csv', 'parquet', 'json', 'imagefolder', 'webdataset', 'datumaro'])
      expect([format, whole(await listed(`zip-${format}`))]).toEqual([format, source]);
  });

  it('keeps the names of keypoints and what connects them', async () => {
    const person = {
      id: 1,
      name: 'person',
      keypoints: ['nose', 'neck', 'hip'],
      skeleton: [
        [1, 2],
        [2, 3],
        [3, 9],
      ],
    };
    const file = {
      images: [{ id: 1, file_name: '0.jpg' }],
      categories: [person],
      annotations: [{ id: 1, image_id: 1, category_id: 1, keypoints: [1, 2, 2, 3, 4, 2, 5, 6, 1] }],
    };
    await sent('people', 'a.json', Buffer.from(JSON.stringify(file)));
    const { sources } = await additions.api.must<{ sources: object[] }>(200, 'GET', path('annotation_sources'));
    const skeletons = [
      {
        label: 'person',
        points: person.keypoints,
        edges: [
          [0, 1],
          [1, 2],
        ],
      },
    ];
    expect(sources).toContainEqual(expect.objectContaining({ name: 'people', skeletons }));
    await additions.api.must(200, 'POST', path('annotations'), {
      source: 'people',
      annotations: [{ file_name: '1.jpg', label: 'person', shape: { type: 'keypoints', points: [1, 2, 2] } }],
    });
    const archiveOf = async (format: string): Promise<Map<string, Buffer>> =>
      exports.archive(dataset, await exports.start(dataset, `export_format=${format}&source=people`));
    await sent('people again', 'a.zip', zipped(await archiveOf('datumaro')));
    const listedAgain = await additions.api.must<{ sources: object[] }>(200, 'GET', path('annotation_sources'));
    expect(listedAgain.sources).toContainEqual(expect.objectContaining({ name: 'people again', skeletons }));
    const members = await archiveOf('coco');
    const { categories } = JSON.parse(members.get('annotations.json')!.toString()) as { categories: object[] };
    expect(categories).toEqual([
      {
        ...person,
        skeleton: [
          [1, 2],
          [2, 3],
        ],
      },
    ]);
  });

  const coco = Buffer.from(
    JSON.stringify({
      images: [{ id: 1, file_name: '0.jpg' }],
      categories: [{ id: 1, name: 'cat' }],
      annotations: [{ id: 1, image_id: 1, category_id: 1, bbox: [1, 2, 3, 4] }],
    }),
  );
  const HOSTILE: readonly (readonly [what: string, name: string, bytes: () => Buffer, fault: RegExp | null])[] = [
    ['a bomb', 'a.zip', () => zipOf([{ name: 'a.json', bytes: Buffer.alloc(200 * 2 ** 20) }]), /a\.zip/],
    ['paths out of the archive', 'a.zip', () => zipOf([{ name: '../../../etc/a.json', bytes: coco }]), null],
    ['a name without end', 'a.zip', () => zipOf([{ name: `${'n'.repeat(60_000)}.json`, bytes: coco }]), null],
    ['a tar with dots', 'a.tar', () => tarOf([{ name: '../../b/instances.json', bytes: coco }]), null],
    [
      'a tar of a larger size than it has',
      'a.tar',
      () => tarOf([{ name: 'a.json', bytes: coco, size: 2 ** 32 }]),
      /a\.tar/,
    ],
    ['no archive', 'a.zip', () => Buffer.from('PK is not a zip'), /a\.zip/],
    ['half an archive', 'a.zip', () => zipOf([{ name: 'a.json', bytes: coco }]).subarray(0, 90), /a\.zip/],
  ];
  it.each(HOSTILE)('is no worse than %s: read, or refused with a sentence', async (what, name, bytes, fault) => {
    const source = `hostile ${what}`;
    const task = await sent(source, name, bytes());
    const { annotations } = await additions.api.must<{ annotations: Listed[] }>(
      200,
      'GET',
      path(`annotations?source=${encodeURIComponent(source)}`),
    );
    expect(annotations.map(({ label }) => label)).toEqual(fault === null ? ['cat'] : []);
    expect(task.status).toBe(fault === null ? 'COMPLETED' : 'FAILED');
    if (fault !== null) expect(task.error_message).toMatch(fault);
  });
});
