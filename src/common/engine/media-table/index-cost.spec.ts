import { CAPTION_INDEX_COST, isWorthMaking, SCALAR_INDEX_COST } from './table-indexes';

/** The minimum number of appended rows for which an index over `indexed` rows is rebuilt. */
function leastMissing(indexed: number, cost: typeof CAPTION_INDEX_COST): number {
  let [no, yes] = [0, 10 * indexed + 10_000];
  while (yes - no > 1) {
    const missing = (no + yes) >> 1;
    if (isWorthMaking({ rows: indexed + missing, missing }, cost)) yes = missing;
    else no = missing;
  }
  return yes;
}

describe('an index without the appended rows', () => {
  it.each([
    [0, 128],
    [1_000, 148],
    [100_000, 2_169],
    [1_000_000, 20_536],
  ])('of captions of %i rows is rebuilt after %i more', (indexed, missing) => {
    expect(leastMissing(indexed, CAPTION_INDEX_COST)).toBe(missing);
  });

  it.each([
    [0, 3_031],
    [100_000, 6_061],
    [1_000_000, 33_334],
  ])('of ids or labels of %i rows is rebuilt after %i more', (indexed, missing) => {
    expect(leastMissing(indexed, SCALAR_INDEX_COST)).toBe(missing);
  });

  it('is kept if it has all rows', () => {
    expect(isWorthMaking({ rows: 1_000_000, missing: 0 }, CAPTION_INDEX_COST)).toBe(false);
  });
});
