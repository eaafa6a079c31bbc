import { findDistinctItems } from './distinct-items';

test('copies by content and by embedding are represented by one item', () => {
  const vectors = Float32Array.from([1, 0, 0, 1, 1, 0, 0, 1, 0.6, 0.8]);
  const { item, distinctOf, count } = findDistinctItems(vectors, Int32Array.of(7, 8, 9, 8, 10), 2);
  expect(count).toBe(3);
  expect([...item]).toEqual([0, 1, 4]);
  expect([...distinctOf]).toEqual([0, 1, 0, 1, 2]);
});

test('an empty input has no copies', () => {
  expect(findDistinctItems(new Float32Array(0), new Int32Array(0), 4).count).toBe(0);
});
