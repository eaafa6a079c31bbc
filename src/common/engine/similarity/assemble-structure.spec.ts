import { clusterOrdinals } from './assemble-structure';

test('numbers clusters by descending size, and equal ones by their lowest member', () => {
  const names = [3, 1, 2, 2, 1, 2, 4];
  expect([...clusterOrdinals(names.length, 5, (item) => names[item]!)]).toEqual([2, 1, 0, 0, 1, 0, 3]);
});
