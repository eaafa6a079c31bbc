import { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { LabelIndex } from './label-index';

const ROWS = [['dog'], ['dog', 'cat'], [], ["' OR 1=1 --"], ['cat']];

function index(): Promise<LabelIndex> {
  const builder = LabelIndex.builder(ROWS.length);
  ROWS.forEach((labels) => builder.add(labels));
  return builder.build();
}
const rows = (set: OrdinalSet): number[] => [...set.toArray()];

it('finds rows by their labels', async () => {
  expect(rows((await index()).holdingAny(['dog', 'nothing']))).toEqual([0, 1]);
  expect(rows((await index()).holdingAll(['dog', 'cat', 'dog']))).toEqual([1]);
  expect(rows((await index()).holdingAll(['dog', 'nothing']))).toEqual([]);
  expect(rows(await (await index()).holdingNone())).toEqual([2]);
  expect(rows((await index()).holdingAny(["' OR 1=1 --"]))).toEqual([3]);
});

it('counts labels among rows', async () => {
  expect(await (await index()).counts(OrdinalSet.of(5, [0, 1, 2]))).toEqual([
    { label: 'dog', count: 2 },
    { label: 'cat', count: 1 },
  ]);
});

it('counts each row once for each group of its labels', async () => {
  const groups: Readonly<Record<string, readonly string[]>> = { dog: ['pet', 'animal'], cat: ['animal', 'feline'] };
  const groupsOf = (label: string): readonly string[] => groups[label] ?? [];
  expect(await (await index()).groupCounts(OrdinalSet.of(5, [0, 1, 2, 3]), groupsOf)).toEqual([
    { label: 'animal', count: 2 },
    { label: 'pet', count: 2 },
    { label: 'feline', count: 1 },
  ]);
  expect(await (await index()).groupCounts(OrdinalSet.all(5), () => [])).toEqual([]);
});

it('finds its labels by a test', async () => {
  expect(await (await index()).named((label) => label.includes('o') || label === 'fish')).toEqual(['dog']);
});

it('can be extended with more rows', async () => {
  const before = await index();
  const builder = LabelIndex.builder(ROWS.length + 2, before);
  for (const labels of [['cat', 'bird'], []]) builder.add(labels);
  const grown = await builder.build();
  expect(grown.rows).toBe(ROWS.length + 2);
  expect([0, 1, 5, 6].map((row) => grown.of(row))).toEqual([['dog'], ['dog', 'cat'], ['cat', 'bird'], []]);
  expect(rows(grown.holdingAny(['cat']))).toEqual([1, 4, 5]);
  expect(rows(before.holdingAny(['cat']))).toEqual([1, 4]);
  expect(before.rows).toBe(ROWS.length);
});
