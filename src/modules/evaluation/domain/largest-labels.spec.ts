import { largestLabels } from './largest-labels';

const labels = [3, 1, 2, 5, 4].map((truth, at) => ({ label: `${at}`, truth, predictions: 1, figures: {} }));
const named = (kept: readonly { readonly label: string }[]): string => kept.map(({ label }) => label).join('');

describe('the labels of an evaluation', () => {
  it('are all kept if they are few', () => expect(largestLabels(labels)).toEqual(labels));

  it.each([
    [5, '01234'],
    [3, '034'],
    [1, '3'],
    [0, ''],
  ])('that are the %d largest are kept in their order', (most, kept) =>
    expect(named(largestLabels(labels, most))).toBe(kept),
  );
});
