import { EXAMPLE } from '../../src/common/platform/http/description/example-ids';
import { VQL_FILTERS } from '../../src/modules/search/query/domain/vql-filters';
import { NOBODY, type Case } from './contract-case';

type Filter = Readonly<
  Record<string, { readonly op: string; readonly value: unknown; readonly mode?: string; readonly field?: string }>
>;
type Expected = readonly [filter: object, images: number];

const each = (name: string, ops: Readonly<Record<string, readonly [value: unknown, images: number]>>): Expected[] =>
  Object.entries(ops).map(([op, [value, images]]) => [{ [name]: { op, value } }, images]);

/** All six pictures have the first number; the second is greater. */
const range = (name: string, own: number, above: number): Expected[] =>
  each(name, {
    eq: [own, 6],
    gt: [own, 0],
    gte: [own, 6],
    lt: [above, 6],
    lte: [own, 6],
    between: [[own, above], 6],
  });

const withField =
  (field: string) =>
  ([filter, images]: Expected): Expected => [{ metadata: { ...(filter as Filter)['metadata'], field } }, images];

const evaluated = (of: object, images: number): Expected[] => [
  [{ evaluation: { op: 'is', evaluation: EXAMPLE.evaluation, ...of } }, images],
];

/** The number of pictures with captions that match each filter. */
export const VQL: readonly Expected[] = [
  ...each('text', { fts: ['sleep', 2], semantic: ['Three cars parked in a row', 4] }),
  [{ text: { op: 'semantic', value: 'Three cars parked in a row', threshold: 0.99 } }, 1],
  [{ text: { op: 'fts', value: '"red sofa" OR (car -parked)' } }, 2],
  ...each('labels', { is: [['car', 'vehicle'], 1], is_not: [['cat'], 4], one_of: [['cat', 'car'], 4] }),
  ...each('labels', { not_one_of: [['cat', 'unlabeled'], 2] }),
  [{ labels: { op: 'one_of', value: ['CAT', 'no such label'], with_narrower: true } }, 2],
  [{ labels: { op: 'one_of', value: ['cat'], source: 'none', confidence: [0.5, 1], area: [0, 1e6], count: 2 } }, 0],
  [{ labels: { op: 'is', value: ['unlabeled'], source: 'none', iscrowd: true } }, 6],
  [{ labels: { op: 'one_of', value: ['cat'], source: 'none', attributes: { occluded: true, age: [3, 10] } } }, 0],
  ...each('objects', { is: [['cat'], 0], is_not: [['cat'], 6], one_of: [['cat'], 0], not_one_of: [['unlabeled'], 0] }),
  [{ objects: { op: 'is', value: ['unlabeled'], source: 'none', attributes: { colour: ['red', 'blue'] } } }, 6],
  ...each('tags', { is: [[NOBODY], 0], is_not: [[NOBODY], 6], one_of: [['untagged'], 6], not_one_of: [[NOBODY], 6] }),
  [{ issues: { op: 'issue', value: ['dark', 'bright'], threshold: 0 } }, 6],
  [{ issues: { op: 'issue', value: 'mislabels', mode: 'in' } }, 0],
  [{ issues: { op: 'issue', value: 'class_outliers', mode: 'not_in' } }, 6],
  [{ issues: { op: 'issue', value: 'duplicates', mode: 'not_in', threshold: 1 } }, 4],
  ...each('duplicates', { duplicates: [1, 2] }),
  ...each('uniqueness', { uniqueness: [1, 0] }),
  ...each('folders', {
    one_of: ['cats', 2],
    starts_with: ['ca', 5],
    ends_with: ['rs', 3],
    contains: [['the', 'at'], 3],
  }),
  ...each('files', { one_of: [['0.jpg'], 1], starts_with: ['3', 2], ends_with: ['.jpg', 6], contains: ['copy', 1] }),
  ...each('media_type', { is: ['image', 6], one_of: [['video', 'object'], 0] }),
  ...range('width', 160, 161),
  ...range('height', 120, 121),
  ...each('file_size', { eq: [1, 0], gt: [0, 6], gte: [1, 6], lt: [1, 0], lte: [1, 0], between: [[1, 1e9], 6] }),
  ...each('metadata', { eq: ['north', 2], contains: ['or', 2], one_of: [['north', 'south'], 6] }).map(
    withField('site'),
  ),
  ...each('metadata', { gt: [0.5, 3], lt: [1, 3], between: [[0, 3], 5] }).map(withField('score')),
  ...each('metadata', { gt: ['2026-01-31T00:00:00Z', 1], eq: ['2026-01-31T12:00:00+02:00', 1] }).map(
    withField('taken'),
  ),
  ...each('metadata', { eq: [true, 1] }).map(withField('checked')),
  ...each('map_area', {
    in: [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ],
      6,
    ],
  }),
  ...each('brightness', { eq: [999, 0], gt: [0, 6], gte: [0, 6], lt: [1, 0], lte: [255, 6], between: [[0, 255], 6] }),
  ...each('clusters', { is: [NOBODY, 0], one_of: [[NOBODY], 0] }),
  ...each('batch', { is: [NOBODY, 0], one_of: [[NOBODY], 0] }),
  [{ or: [{ labels: { op: 'is', value: ['cat'] } }, { not: { folders: { op: 'one_of', value: 'cars' } } }] }, 3],
  ...evaluated({ value: 'tp', label: 'cat' }, 1),
  ...evaluated({ value: ['fp', 'fn'] }, 1),
  ...evaluated({ value: ['fp', 'fn'], confidence: 0.4 }, 2),
  ...evaluated({ value: 'fn', label: ['cat', 'car'], kind: 'missed' }, 1),
  ...evaluated({ value: 'tp', predicted: 'cat', iou: [0.8, 1], better_in: EXAMPLE.evaluation }, 1),
  ...evaluated({ value: ['tp', 'fp', 'fn'], area: [0, 0.5] }, 0),
  ...evaluated({ value: 'fn', better_in: EXAMPLE.evaluation }, 0),
  [{ and: [{ labels: { op: 'is', value: ['cat'] } }, { text: { op: 'fts', value: 'sofa' } }] }, 1],
];

export const vqlQuery = (...filters: readonly object[]): string => `vql=${encodeURIComponent(JSON.stringify(filters))}`;

/** The ops without a case. */
export function missingFromVql(): string[] {
  const shown = VQL.flatMap(([filter]) => Object.entries(filter as Filter).map(([name, { op }]) => `${name} ${op}`));
  return Object.entries(VQL_FILTERS)
    .flatMap(([name, { ops }]) => Object.keys(ops).map((op) => `${name} ${op}`))
    .filter((op) => !shown.includes(op));
}

export const COUNTED_BY_VQL: readonly Case[] = VQL.map(([filter, images]) => ({
  it: `counts ${images} by ${JSON.stringify(filter)}`,
  path: ({ captioned }) => `/api/v1/dataset/${captioned}/facets?${vqlQuery(filter)}`,
  status: 200,
  answers: () => expect.objectContaining({ total: images }) as unknown,
}));

export const FOUND_BY_VQL: readonly Case[] = VQL.map(([filter, images]) => ({
  it: `finds ${images} by ${JSON.stringify(filter)}`,
  path: ({ captioned }) => `/api/v1/explore/${captioned}?threshold=4&${vqlQuery(filter)}`,
  status: 200,
  answers: () =>
    expect.objectContaining({
      total_pages: images === 0 ? 0 : 1,
      ...(images === 0 ? { clusters: [] } : {}),
    }) as unknown,
}));
