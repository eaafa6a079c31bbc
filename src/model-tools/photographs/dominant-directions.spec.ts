import { Random } from '../../../test/support/random';
import { dominantDirections, projected, rowOf, type Matrix } from './dominant-directions';

const [ROWS, COLUMNS, KEPT] = [40, 30, 5];

/** Rows that differ much in a few directions and little in all others. */
function made(): Matrix {
  const random = new Random(5);
  const directions = Array.from({ length: KEPT }, () => Array.from({ length: COLUMNS }, () => random.normal()));
  const values = new Float64Array(ROWS * COLUMNS);
  for (let row = 0; row < ROWS; row++) {
    const weights = directions.map(() => 3 * random.normal());
    for (let column = 0; column < COLUMNS; column++) {
      const strong = weights.reduce((sum, weight, at) => sum + weight * directions[at]![column]!, 0);
      values[row * COLUMNS + column] = strong + 0.01 * random.normal();
    }
  }
  return { rows: ROWS, columns: COLUMNS, values };
}

const squares = ({ values }: Matrix): number => values.reduce((sum, value) => sum + value * value, 0);

describe('dominantDirections', () => {
  it('finds directions at right angles that keep what differs', () => {
    const matrix = made();
    const directions = dominantDirections(matrix, KEPT);
    for (let one = 0; one < KEPT; one++) {
      for (let other = 0; other <= one; other++) {
        const product = rowOf(directions, one).reduce(
          (sum, value, at) => sum + value * rowOf(directions, other)[at]!,
          0,
        );
        expect(product).toBeCloseTo(one === other ? 1 : 0, 10);
      }
    }
    expect(squares(projected(matrix, directions)) / squares(matrix)).toBeGreaterThan(0.9999);
  });

  it('gives the same each time, and leaves the matrix as it is', () => {
    const matrix = made();
    const before = matrix.values.slice();
    expect(dominantDirections(matrix, KEPT)).toEqual(dominantDirections(matrix, KEPT));
    expect(matrix.values).toEqual(before);
  });
});
