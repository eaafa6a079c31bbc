import fc from 'fast-check';
import { VectorTable } from './vector-table';

const numbers = fc.integer({ min: 1, max: 70 }).chain((dimension) => {
  const vector = fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: dimension, maxLength: dimension });
  return fc.tuple(vector, vector);
});

test('the dot product equals a sum of products, for any dimension', () => {
  fc.assert(
    fc.property(numbers, ([first, second]) => {
      const table = VectorTable.allocate(3, first.length);
      table.row(1).set(first);
      table.row(2).set(second);
      const expected = first.reduce((sum, value, at) => sum + value * second[at]!, 0);
      expect(table.dot(1, 2)).toBeCloseTo(expected, 4);
      expect(table.dot(2, 1)).toBe(table.dot(1, 2));
    }),
  );
});

test('adding rows changes one row only', () => {
  const table = VectorTable.allocate(3, 5);
  for (const row of [0, 1, 2]) table.row(row).set([1, 2, 3, 4, 5].map((value) => value + row));
  table.add(1, 2);
  expect([...table.row(0)]).toEqual([1, 2, 3, 4, 5]);
  expect([...table.row(1)]).toEqual([5, 7, 9, 11, 13]);
  expect([...table.row(2)]).toEqual([3, 4, 5, 6, 7]);
});

test('another table with the same handle shares the rows', () => {
  const table = VectorTable.allocate(2, 4);
  table.row(0).set([1, 2, 3, 4]);
  expect(new VectorTable(table.handle).dot(0, 0)).toBe(30);
});
