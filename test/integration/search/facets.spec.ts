import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeEdges } from '../../../src/common/engine/media-table/edges-file';
import type { MediaRow } from '../../../src/common/engine/media-table/media-row';
import { LabelHierarchy } from '../../../src/common/engine/models/label-hierarchy';
import { MediaTableStore } from '../../../src/common/engine/media-table/media-table-store';
import type { DatasetPointer } from '../../../src/modules/datasets';
import { FacetsController } from '../../../src/modules/search/facets/http/facets.controller';
import { facetParameters } from '../../../src/modules/search/query/http/search-parameters';
import { pointerTo } from '../../support/dataset-pointer';
import { folderStore } from '../../support/folder-store';
import { DIMENSIONS, idOf, inBatches, mediaRow } from '../../support/media-rows';
import { openSearch } from '../../support/opened-search';

const SIGHTED = idOf('sighted');
const CHECKED = idOf('checked');
const LABELS = 2_500;

/** Rows 0 to 5: two folders of three rows, two with one label and one with two. Then a frame, and one row for each of many labels. */
function collection(): MediaRow[] {
  const image = (seed: number, folder: string, labels: readonly string[]): MediaRow =>
    mediaRow(seed, { path: `${folder}/image_${seed}.jpg`, labels: [...labels], blurConfidence: seed === 0 ? 0.9 : 0 });
  const site = (value: string): MediaRow['customMetadata'] => [{ name: 'site', type: 'string', value }];
  const dive = (quay: string, depth: number): Pick<MediaRow, 'customMetadata'> => ({
    customMetadata: [
      { name: 'depth', type: 'float', value: depth },
      { name: 'quay', type: 'string', value: quay },
    ],
  });
  return [
    { ...image(0, 'harbour', ['boat']), ...dive('north', 1) },
    { ...image(1, 'harbour', ['boat', 'crane']), ...dive('south', 2) },
    { ...image(2, 'harbour', ['crane']), ...dive('south', 3) },
    image(3, 'street', ['car']),
    image(4, 'street', []),
    image(5, 'Straße am Café', []),
    { ...image(6, 'street', ['car']), kind: 'FRAME', parentId: idOf('video'), frameTimestamp: 0 },
    ...Array.from({ length: LABELS }, (_, i) => ({
      ...image(10 + i, `many/${i}`, [`label ${i}`]),
      customMetadata: site(`site ${i}`),
    })),
  ];
}

const HIERARCHY = LabelHierarchy.of([
  [
    { label: 'boat', parents: ['vehicle', 'thing'] },
    { label: 'Car', parents: ['vehicle'] },
    { label: 'crane', parents: ['machine', 'thing'] },
    { label: 'horse', parents: ['animal'] },
  ],
]);

const folderIs = (...value: string[]) => ({ folders: { op: 'one_of', value } });
const labelIs = (...value: string[]) => ({ labels: { op: 'one_of', value } });
const fieldIs = (field: string, ...value: string[]) => ({ metadata: { op: 'one_of', field, value } });
const fieldFrom = (field: string, from: number) => ({ metadata: { op: 'between', field, value: [from, 99] } });

describe('facets of a result', () => {
  const folder = mkdtempSync(join(tmpdir(), 'facets-'));
  const tables = new MediaTableStore({ uri: folder, storageOptions: {} });
  let pointer: DatasetPointer;
  let controller: FacetsController;

  beforeAll(async () => {
    const store = folderStore(folder);
    const written = await tables.create(randomUUID(), DIMENSIONS, inBatches(collection(), 1_000));
    await writeEdges(store, written, []);
    pointer = pointerTo(written, { tagsFile: 'tags' });
    const { facets, state } = await openSearch({
      tables,
      store,
      dataset: () => ({ pointer, status: 'READY' }),
      labelHierarchy: HIERARCHY,
      tags: new Map([
        [SIGHTED, Int32Array.of(0, 3)],
        [CHECKED, Int32Array.of(3, 4)],
      ]),
    });
    const tagNames = new Map([
      [SIGHTED, 'Sighted'],
      [CHECKED, 'Checked'],
    ]);
    controller = new FacetsController({ get: () => Promise.resolve({ ...state(), tagNames }) }, facets);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const facetsOf = ({ vql, ...parameters }: Record<string, unknown>) =>
    controller.count(
      { dataset_id: randomUUID() },
      facetParameters.parse({ ...parameters, ...(vql === undefined ? {} : { vql: JSON.stringify(vql) }) }),
    );
  const counted = (values: readonly { value: string; count: number }[]) =>
    Object.fromEntries(values.map(({ value, count }) => [value, count]));

  it('exclude the filter of a facet from its own counts only', async () => {
    const one = await facetsOf({ vql: [folderIs('harbour')] });
    expect(one.total).toBe(3);
    expect(counted(one.folders)).toMatchObject({ harbour: 3, street: 3, 'Straße am Café': 1 });
    expect(counted(one.labels)).toEqual({ boat: 2, crane: 2 });
    expect(one.tags).toEqual([{ id: SIGHTED, name: 'Sighted', count: 1 }]);

    const two = await facetsOf({ vql: [folderIs('harbour'), labelIs('boat')] });
    expect(two.total).toBe(2);
    expect(counted(two.folders)).toEqual({ harbour: 2 });
    expect(counted(two.labels)).toEqual({ boat: 2, crane: 2 });
  });

  it.each([
    ['labels as a parameter', { labels: '[boat,unlabeled]' }, []],
    ['labels', {}, [labelIs('boat', 'unlabeled')]],
  ])('exclude the filter of %s', async (_, parameters, vql) => {
    const { total, labels, unlabeled, folders } = await facetsOf({
      ...parameters,
      vql: [...vql, folderIs('harbour', 'street')],
    });
    expect(total).toBe(3);
    expect(counted(labels)).toEqual({ boat: 2, crane: 2, car: 2 });
    expect(unlabeled).toBe(1);
    expect(counted(folders)).toMatchObject({ harbour: 2, street: 1, 'Straße am Café': 1 });
  });

  it('exclude the filters of tags, issues and media types', async () => {
    const tagged = await facetsOf({ tags: `[${CHECKED}]` });
    expect([tagged.total, tagged.tags]).toEqual([
      2,
      [
        { id: SIGHTED, name: 'Sighted', count: 2 },
        { id: CHECKED, name: 'Checked', count: 2 },
      ],
    ]);
    const frames = await facetsOf({ vql: [{ media_type: { op: 'is', value: 'video_frame' } }] });
    expect(frames.total).toBe(1);
    expect(counted(frames.media_types)).toEqual({ image: 6 + LABELS, video_frame: 1 });
    const unfit = await facetsOf({ vql: [{ issues: { op: 'issue', value: ['dark', 'class_outliers'] } }] });
    expect([unfit.total, unfit.issues.find(({ issue }) => issue === 'blur')]).toEqual([0, { issue: 'blur', count: 1 }]);
  });

  it.each<[string, object[], number, [Record<string, number>, [number, number] | null]]>([
    ['one value', [fieldIs('quay', 'north')], 1, [{ north: 1, south: 2 }, [1, 1]]],
    [
      'one value or another',
      [{ or: [fieldIs('quay', 'north'), fieldIs('quay', 'east')] }],
      1,
      [{ north: 1, south: 2 }, [1, 1]],
    ],
    ['values of a field, and its range', [fieldIs('quay', 'south'), fieldFrom('depth', 2)], 2, [{ south: 2 }, [2, 3]]],
    [
      'a value with none in the range of another field',
      [fieldIs('quay', 'north'), fieldFrom('depth', 2)],
      0,
      [{ south: 2 }, [1, 1]],
    ],
    ['a label beside a value', [fieldIs('quay', 'north'), labelIs('boat')], 1, [{ north: 1, south: 1 }, [1, 1]]],
    ['what is excluded', [{ not: fieldIs('quay', 'north') }, folderIs('harbour')], 2, [{ south: 2 }, [2, 3]]],
    ['a part of a text', [{ metadata: { op: 'contains', field: 'quay', value: 'nor' } }], 1, [{ north: 1 }, [1, 1]]],
    [
      'values in several groups',
      [{ or: [fieldIs('quay', 'north'), labelIs('crane')] }, folderIs('harbour')],
      3,
      [{ north: 1, south: 2 }, [1, 3]],
    ],
  ])(
    'counts a field of people without the filter of %s, and other fields with it',
    async (_, vql, total, [quays, depths]) => {
      const found = await facetsOf({ vql });
      const field = (name: string) => found.custom_metadata.find(({ field_name: each }) => each === name);
      const depth = field('depth');
      expect([found.total, counted(field('quay')!.values!), depth && [depth.min, depth.max]]).toEqual([
        total,
        quays,
        depths,
      ]);
    },
  );

  it('include filters that a further value narrows: exclusions, and all of several labels', async () => {
    const street = [folderIs('harbour', 'street')];
    const excluded = await facetsOf({ vql: [...street, { labels: { op: 'not_one_of', value: ['boat'] } }] });
    expect([excluded.total, counted(excluded.labels)]).toEqual([4, { crane: 1, car: 2 }]);
    const all = await facetsOf({ vql: [...street, { labels: { op: 'is', value: ['boat', 'crane'] } }] });
    expect([all.total, counted(all.labels)]).toEqual([1, { boat: 1, crane: 1 }]);
    const not = await facetsOf({ vql: [{ not: folderIs('street') }, { not: labelIs('boat') }, folderIs('harbour')] });
    expect([not.total, not.folders_total]).toEqual([1, 2 + LABELS]);
  });

  it('have the labels above those of the result, each item counted once', async () => {
    const one = await facetsOf({ vql: [folderIs('harbour', 'street')] });
    expect(one.labels).toEqual([
      { value: 'boat', count: 2, parents: ['vehicle', 'thing'] },
      { value: 'car', count: 2, parents: ['vehicle', 'thing'] },
      { value: 'crane', count: 2, parents: ['machine', 'thing'] },
    ]);
    expect(one.broader_labels).toEqual([
      { value: 'thing', count: 5, parents: [] },
      { value: 'vehicle', count: 4, parents: ['thing'] },
      { value: 'machine', count: 2, parents: ['thing'] },
    ]);
    const sought = await facetsOf({ search: 'CHI' });
    expect(sought.broader_labels).toEqual([{ value: 'machine', count: 2, parents: ['thing'] }]);
  });

  it('count what a filter of a broader label finds', async () => {
    const narrower = (value: string) => ({ labels: { op: 'one_of', value: [value], with_narrower: true } });
    const found = await facetsOf({ vql: [folderIs('harbour', 'street'), narrower('Vehicle')] });
    expect(found.total).toBe(4);
    expect(counted(found.broader_labels)).toEqual({ thing: 5, vehicle: 4, machine: 2 });
    expect((await facetsOf({ vql: [narrower('animal')] })).total).toBe(0);
  });

  it('return the total of a truncated list, and search all its values', async () => {
    const { labels, labels_total, folders, folders_total, custom_metadata } = await facetsOf({});
    expect([labels.length, labels_total]).toEqual([1_000, LABELS + 3]);
    expect([folders.length, folders_total]).toEqual([1_000, LABELS + 3]);
    const sites = custom_metadata.find(({ field_name: name }) => name === 'site')!;
    expect([sites.values!.length, sites.values_total]).toEqual([100, LABELS]);
    const last = LABELS - 1;
    expect(labels.map(({ value }) => value)).not.toContain(`label ${last}`);

    const found = await facetsOf({ search: `Label ${last}` });
    expect([found.labels, found.labels_total]).toEqual([[{ value: `label ${last}`, count: 1, parents: [] }], 1]);
    expect([found.folders, found.tags, found.total]).toEqual([[], [], LABELS + 7]);
    const listed = async (search: string) =>
      (await facetsOf({ search })).custom_metadata.filter(({ values }) => values !== null);
    expect(await listed(`Label ${last}`)).toEqual([]);
    expect(await listed(`SITE ${last}`)).toMatchObject([
      { field_name: 'site', count: LABELS, values: [{ value: `site ${last}`, count: 1 }], values_total: 1 },
    ]);
  });

  it.each([
    ['cafe\u0301', 'folders', ['Straße am Café']],
    ['CAFÉ', 'folders', ['Straße am Café']],
    ['check', 'tags', [CHECKED]],
  ] as const)('finds %j whatever its letters are', async (search, list, expected) => {
    const found = await facetsOf({ search });
    expect(found[list].map((each) => ('id' in each ? each.id : each.value))).toEqual(expected);
  });
});
