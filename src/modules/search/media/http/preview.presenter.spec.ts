import { presentLabels, shownDistance } from './preview.presenter';

it('limits distances to 0 to 2', () => {
  expect([-0.5, 0, 0.3, 1.5, 7, null].map(shownDistance)).toEqual([0, 0, 0.3, 1.5, 2, null]);
});

it('writes labels with any name', () => {
  const counts = ['b', '__proto__', 'toString', 'a'].map((label, i) => ({ label, count: i + 1 }));
  expect(JSON.stringify(presentLabels(counts))).toBe('{"b":1,"__proto__":2,"toString":3,"a":4}');
  expect(presentLabels([])).toBeNull();
});
