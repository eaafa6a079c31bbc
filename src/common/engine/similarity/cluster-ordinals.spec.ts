import { clusterOrdinals } from './cluster-ordinals';

test('the largest comes first, and equal ones by their lowest member', () => {
  const names = [30, 10, 20, 20, 10, 20, 40];
  expect([...clusterOrdinals(names.length, (item) => names[item]!)]).toEqual([2, 1, 0, 0, 1, 0, 3]);
});
