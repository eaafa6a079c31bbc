import { chanceBelow } from './normal';

describe('chanceBelow', () => {
  it.each([
    [0, 0.5],
    [1, 0.8413447460685429],
    [-1.96, 0.024997895148220435],
    [-2.999, 0.0013543365337271066],
    [-3.001, 0.0013454728250849683],
    [-6, 9.865876450376946e-10],
    [-10, 7.61985302416047e-24],
  ])('is as in the tables at %d', (z, chance) => {
    expect(Math.abs(chanceBelow(z) / chance - 1)).toBeLessThan(1e-9);
  });

  it('is no number for none', () => {
    expect(chanceBelow(NaN)).toBeNaN();
  });
});
