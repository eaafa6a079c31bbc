import { Random } from '../../../../../test/support/random';
import { sharedInt32 } from '../../arithmetic/shared-arrays';
import { giveUp, heed } from '../given-up';
import { Effort } from './effort';
import { extentsOf, NearShapes, NOWHERE, type Extent } from './near-shapes';

const meet = (one: Extent, other: Extent): boolean =>
  one[0] <= other[2] && other[0] <= one[2] && one[1] <= other[3] && other[1] <= one[3];

function extents(random: Random, count: number, spread: number, size: number): Extent[] {
  return Array.from({ length: count }, () => {
    if (random.next() < 0.05) return NOWHERE;
    const [left, top] = [spread * random.next(), spread * random.next()];
    return [left, top, left + size * random.next(), top + size * random.next()];
  });
}

describe('near shapes', () => {
  it.each([
    ['few', 20, 100, 30],
    ['many small ones', 3_000, 1_000, 10],
    ['many large ones', 2_000, 100, 90],
    ['many at the same place', 1_000, 0, 0],
  ])('are all that meet an extent, in their order, of %s', (_, count, spread, size) => {
    const random = new Random(count);
    const [shapes, asked] = [extents(random, count, spread, size), extents(random, 100, spread, size)];
    const places = Array.from({ length: count }, (_, at) => at)
      .filter(() => random.next() < 0.8)
      .reverse();
    const near = new NearShapes(places, extentsOf(shapes), new Effort());
    for (const [place, extent] of asked.entries()) {
      const found = Array.from(near.found.subarray(0, near.find(extentsOf(asked), place)));
      expect(found).toEqual([...places.keys()].filter((number) => meet(extent, shapes[places[number]!]!)));
    }
  });
});

describe('the effort for a picture', () => {
  it('has a limit of steps and of numbers', () => {
    const effort = new Effort();
    effort.spend(2 ** 34);
    expect(() => effort.spend(2 ** 23)).toThrow('There are too many annotations that cover each other');
    effort.hold(2 ** 25);
    expect(() => effort.hold(1)).toThrow('The annotations are too large together');
  });

  it('ends once it is given up', () => {
    const flag = sharedInt32(1);
    heed(flag);
    const effort = new Effort();
    effort.spend(2 ** 23);
    giveUp(flag);
    expect(() => effort.spend(2 ** 23)).toThrow('The comparison was given up');
    heed(sharedInt32(1));
  });
});
