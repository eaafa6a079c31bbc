import { formatPercent } from './format';

describe('a fraction in percent', () => {
  it.each([
    [0.4499, '44%'],
    [0.45, '45%'],
    [0.57, '57%'],
    [0.8999, '89%'],
    [Math.fround(0.95), '95%'],
    [1 - Math.fround(0.55), '45%'],
    [0.9999, '99%'],
    [0.999_999_94, '100%'],
    [12.5, '1,250%'],
    [0, '0%'],
  ])('rounds %d down to whole percent, except for floating-point errors', (fraction, said) => {
    expect(formatPercent(fraction)).toBe(said);
  });
});
