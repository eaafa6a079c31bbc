/** Beyond it the fraction converges, and before it the series. */
const FAR = 3;
const TERMS = 80;

/** The chance of a standard normal number below `z`, to ten digits where it is below a half. */
export function chanceBelow(z: number): number {
  if (Number.isNaN(z)) return NaN;
  if (z > 0) return 1 - chanceBelow(-z);
  return z < -FAR ? farTail(-z) : 0.5 - density(z) * series(-z);
}

const density = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

/** The sum of z^(2n+1) / (1 · 3 · 5 … (2n+1)). */
function series(z: number): number {
  let [term, sum] = [z, 0];
  for (let divisor = 3; term > sum * Number.EPSILON; divisor += 2) {
    sum += term;
    term *= (z * z) / divisor;
  }
  return sum;
}

/** A continued fraction: z + 1/(z + 2/(z + 3/…)). */
function farTail(z: number): number {
  let fraction = z;
  for (let term = TERMS; term > 0; term--) fraction = z + term / fraction;
  return density(z) / fraction;
}
