export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
}

const ROUNDS = 4;

/**
 * Rows of length one and at right angles that span the directions in which the rows of a matrix differ most: those of its largest singular values, by
 * subspace iteration. Which of them is first says nothing. The same matrix always gives the same result.
 */
export function dominantDirections(matrix: Matrix, count: number): Matrix {
  let directions = orthonormal({ ...matrix, rows: count, values: matrix.values.slice(0, count * matrix.columns) });
  for (let round = 0; round < ROUNDS; round++)
    directions = orthonormal(combined(projected(matrix, directions), matrix));
  return directions;
}

/** The rows in the coordinates of the directions: matrix · directionsᵀ. */
export function projected(matrix: Matrix, directions: Matrix): Matrix {
  const values = new Float64Array(matrix.rows * directions.rows);
  for (let row = 0; row < matrix.rows; row++) {
    const own = rowOf(matrix, row);
    for (let at = 0; at < directions.rows; at++)
      values[row * directions.rows + at] = product(own, rowOf(directions, at));
  }
  return { rows: matrix.rows, columns: directions.rows, values };
}

/** weightsᵀ · matrix */
function combined(weights: Matrix, matrix: Matrix): Matrix {
  const sums = {
    rows: weights.columns,
    columns: matrix.columns,
    values: new Float64Array(weights.columns * matrix.columns),
  };
  for (let row = 0; row < matrix.rows; row++) {
    const own = rowOf(matrix, row);
    for (let at = 0; at < weights.columns; at++) add(rowOf(sums, at), own, weights.values[row * weights.columns + at]!);
  }
  return sums;
}

/** By Gram and Schmidt, twice, because the first time leaves errors of rounding. */
function orthonormal(matrix: Matrix): Matrix {
  for (let row = 0; row < matrix.rows; row++) {
    const own = rowOf(matrix, row);
    for (let time = 0; time < 2; time++) {
      for (let other = 0; other < row; other++) add(own, rowOf(matrix, other), -product(own, rowOf(matrix, other)));
    }
    const length = Math.sqrt(product(own, own));
    for (let at = 0; at < own.length; at++) own[at]! /= length;
  }
  return matrix;
}

export const rowOf = ({ columns, values }: Matrix, row: number): Float64Array =>
  values.subarray(row * columns, (row + 1) * columns);

/** Four sums at a time, because each addition would wait for the previous one. */
function product(a: Float64Array, b: Float64Array): number {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  const last = a.length - (a.length % 4);
  for (let at = 0; at < last; at += 4) {
    first += a[at]! * b[at]!;
    second += a[at + 1]! * b[at + 1]!;
    third += a[at + 2]! * b[at + 2]!;
    fourth += a[at + 3]! * b[at + 3]!;
  }
  for (let at = last; at < a.length; at++) first += a[at]! * b[at]!;
  return first + second + (third + fourth);
}

function add(to: Float64Array, from: Float64Array, times: number): void {
  for (let at = 0; at < to.length; at++) to[at]! += times * from[at]!;
}
