import { Random } from '../../../../test/support/random';
import { byFallingConfidence } from './confidence-order';

describe('the order by falling confidence', () => {
  it.each([0, 1, 2_000, 5_000])('of %d places keeps equals as they are', (count) => {
    const random = new Random(count);
    const drawn = (): number =>
      [0, -0, 1, Number(random.next().toFixed(2)), random.next()][Math.floor(random.between(0, 5))]!;
    const confidences = Float64Array.from({ length: 2 * count }, drawn);
    const places = Array.from({ length: count }, (_, at) => 2 * at + 1);
    const expected = places.toSorted((a, b) => confidences[b]! - confidences[a]! || a - b);
    expect([...byFallingConfidence(Int32Array.from(places), confidences)]).toEqual(expected);
  });
});
