import { splitLargeCells } from './cell-splits';
import { inFile } from '../../../../../test/support/filed-rows';
import { allocateTopLists } from '../vectors/top-lists';

/** The first `same` rows are in cell 0, the others in cell 1; all probe both. */
function cellsOf(count: number, same: number): ReturnType<typeof allocateTopLists> {
  const cells = allocateTopLists(count, 2);
  for (let row = 0; row < count; row++) cells.keys.set(row < same ? [0, 1] : [1, 0], row * 2);
  return cells;
}

const homes = (keys: Int32Array): Map<number, number> => {
  const sizes = new Map<number, number>();
  keys.forEach((cell, at) => {
    if (at % 2 === 0) sizes.set(cell, (sizes.get(cell) ?? 0) + 1);
  });
  return sizes;
};

test.each([
  ['spread', (row: number) => row / 20_000],
  ['identical', () => 0.5],
])('a cell of %s vectors is split into slices of bounded size', async (_, angle) => {
  const vectors = Array.from({ length: 21_000 }, (__, row) => [Math.cos(angle(row)), Math.sin(angle(row))]);
  const cells = cellsOf(21_000, 20_000);
  const { cellCount: count } = await inFile(vectors, 21_000, (store) => splitLargeCells(store, cells, 2));
  const sizes = homes(cells.keys);
  expect(count).toBe(7);
  expect(Math.max(...sizes.values())).toBeLessThanOrEqual(4096);
  expect(sizes.get(1)).toBe(1000);
  expect(cells.keys.every((cell) => cell >= 1 && cell < count)).toBe(true);
  for (let row = 0; row < 20_000; row++) expect(Math.abs(cells.keys[row * 2]! - cells.keys[row * 2 + 1]!)).toBe(1);
});

test('does not split small cells', async () => {
  const vectors = Array.from({ length: 30 }, () => [1, 0]);
  const cells = cellsOf(30, 20);
  const before = cells.keys.slice();
  expect((await inFile(vectors, 30, (store) => splitLargeCells(store, cells, 2))).cellCount).toBe(2);
  expect(cells.keys).toEqual(before);
});
