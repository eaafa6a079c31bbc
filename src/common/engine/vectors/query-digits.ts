/** 255 x 64 x 2 and 127 x 127 x 2 still fit into 16 bits, in which processors without VNNI add pairs of products. */
const BASE = 128;
const HALF = BASE / 2;
/** Added to a digit to make it non-negative. */
export const HALF_DIGIT = HALF;
export const DIGITS = 3;
const LARGEST = (HALF - 1) * BASE ** (DIGITS - 1);

/** A query's direction quantised to integers, in three digits of -64..63, one column of the matrix product per digit. */
export interface QueryDigits {
  readonly dimension: number;
  /** The last digits of all numbers, then the middle and the first ones. */
  readonly digits: Int8Array;
  /** The weight of each digit. */
  readonly weights: Float32Array;
  /** The length of the quantisation error of the unit vector. */
  readonly error: number;
}

export function queryDigits(query: Float32Array): QueryDigits {
  const dimension = query.length;
  const length = Math.sqrt(query.reduce((sum, value) => sum + value * value, 0));
  if (!(length > 0 && length < Infinity)) throw new RangeError('The query vector must not be zero');
  const most = query.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  // Multiplying a 32-bit number by a power of two is exact, so rounding is the only error.
  const unit = Math.fround(most / length / LARGEST);
  const digits = new Int8Array(DIGITS * dimension);
  let error = 0;
  for (let at = 0; at < dimension; at++) {
    const value = query[at]! / length;
    let rest = Math.max(-LARGEST, Math.min(LARGEST, Math.round(value / unit)));
    error += (value - rest * unit) ** 2;
    for (let digit = 0; digit < DIGITS; digit++) {
      const lowest = digit === DIGITS - 1 ? rest : ((((rest + HALF) % BASE) + BASE) % BASE) - HALF;
      digits[digit * dimension + at] = lowest;
      rest = (rest - lowest) / BASE;
    }
  }
  const weights = Float32Array.from({ length: DIGITS }, (_, digit) => unit * BASE ** digit);
  return { dimension, digits, weights, error: Math.sqrt(error) };
}
