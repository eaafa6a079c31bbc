import fc from 'fast-check';
import { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { RUN_ROWS } from '../../../../common/engine/vectors/found-distances';
import { leastOfRunsOf } from '../../../../../test/support/runs';
import { atMostTheLowest, lowestPlaces, lowestRows } from './lowest-scores';

const score = fc.oneof(
  fc.integer({ min: -5000, max: 5000 }).map((value) => value / 1000),
  fc.constant(Infinity),
  fc.constantFrom(0, 0.25, 0.250001),
);

it('finds the indices of the lowest scores, ties by index', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(score, { maxLength: 300 }), fc.integer({ min: 1, max: 50 }), async (given, wanted) => {
      const scores = Float32Array.from(given);
      const places = given.flatMap((_, i) => (scores[i]! < Infinity ? [i] : []));
      const expected = [...places].sort((a, b) => scores[a]! - scores[b]! || a - b).slice(0, wanted);
      expect([...(await lowestPlaces(scores, wanted))]).toEqual(expected.sort((a, b) => a - b));
    }),
    { numRuns: 500 },
  );
});

it('separates scores that are close together among distant ones', async () => {
  const scores = Float32Array.from({ length: 100_000 }, (_, i) => (i === 7 ? 1e9 : 1 + ((i * 7919) % 1000) * 1e-6));
  const places = await lowestPlaces(scores, 250);
  const highest = Math.max(...Array.from(places, (place) => scores[place]!));
  expect(places).toHaveLength(250);
  expect(scores.filter((each) => each < highest).length).toBeLessThan(250);
});

it('finds at least the lowest scores and the scores within the margin', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(score, { maxLength: 300 }),
      fc.integer({ min: 1, max: 50 }),
      fc.constantFrom(0, 0.01, 0.5),
      async (given, wanted, margin) => {
        const scores = Float32Array.from(given);
        const finite = scores.filter((each) => each < Infinity).sort();
        const found = await atMostTheLowest(scores, wanted, margin, 1000);
        const bound = (finite[Math.min(wanted, finite.length) - 1] ?? -Infinity) + margin;
        const expected = given.flatMap((_, i) => (scores[i]! <= bound ? [i] : []));
        expect(found.finite).toBe(finite.length);
        expect([...found.places]).toEqual(expect.arrayContaining(expected));
        expect([...found.places]).toEqual([...found.places].sort((a, b) => a - b));
        for (const place of found.places) expect(scores[place]).toBeLessThan(Infinity);
      },
    ),
    { numRuns: 500 },
  );
});

it('allocates at most the number of scores, whatever the requested number', async () => {
  const scores = Float32Array.of(3, Infinity, 1, 2);
  expect(await atMostTheLowest(scores, 1e15, 0, 4096)).toEqual({ places: Int32Array.of(0, 2, 3), finite: 3 });
});

it('selects by exact scores if more scores are nearly equal than may be returned', async () => {
  const scores = Float32Array.from({ length: 5000 }, (_, i) => (i === 7 ? 1000 : 1 - (i % 100) * 1e-5));
  const { places } = await atMostTheLowest(scores, 10, 0, 40);
  expect(places).toHaveLength(50);
  for (const place of places) expect(place % 100).toBe(99);
});

describe('the rows with the lowest scores among many rows', () => {
  const ROWS = 100_000;
  const WANTED = 1_000;
  const sorted = (rows: Int32Array): number[] => [...rows].sort((a, b) => a - b);

  /** Alike in a run, as neighbours are, or not. */
  const scoresOf = (areAlike: boolean): Float32Array =>
    Float32Array.from(
      { length: ROWS },
      (_, row) => (((areAlike ? Math.floor(row / RUN_ROWS) : row) * 7919) % ROWS) + (row % RUN_ROWS) / 1000,
    );

  it.each([true, false])(
    'are the same when searched by runs, if the scores of a run are similar: %s',
    async (areAlike) => {
      const approximate = scoresOf(areAlike);
      const leastOfRuns = leastOfRunsOf(approximate);
      for (const has of [() => true, (row: number) => row % 3 === 1]) {
        const set = OrdinalSet.of(
          ROWS,
          Int32Array.from(approximate.keys()).filter((row) => has(row)),
        );
        const many = { rows: set.toArray(), set };
        const one = await lowestRows(many, { approximate }, WANTED);
        const other = await lowestRows(many, { approximate, atOnce: { leastOfRuns, scored: set } }, WANTED);
        expect(sorted(other!.rows)).toEqual(sorted(one!.rows));
        expect(other).toMatchObject({ bound: one!.bound, areAllFinite: true });
        expect(sorted(one!.rows)).toEqual([...many.rows].filter((row) => approximate[row]! <= one!.bound));
      }
    },
  );

  it.each([
    ['all have one', undefined, true],
    ['one of them has none', 77, false],
    ['one has none that is not among them', 78, true],
  ])('are returned with whether all rows have a score: %s', async (_, without, areAllFinite) => {
    const approximate = scoresOf(true);
    const leastOfRuns = leastOfRunsOf(approximate);
    const set = OrdinalSet.all(ROWS);
    set.delete(78);
    const scored = OrdinalSet.all(ROWS);
    if (without !== undefined) {
      approximate[without] = Infinity;
      scored.delete(without);
    }
    const many = { rows: set.toArray(), set };
    const found = await lowestRows(many, { approximate, atOnce: { leastOfRuns, scored } }, WANTED);
    expect(found!.areAllFinite).toBe(areAllFinite);
    expect((await lowestRows(many, { approximate }, WANTED))!.areAllFinite).toBe(areAllFinite);
    const unknown = { leastOfRuns, scored: undefined };
    expect((await lowestRows(many, { approximate, atOnce: unknown }, WANTED))!.areAllFinite).toBe(false);
  });

  it('are none if too many have the same score', async () => {
    const approximate = new Float32Array(ROWS).fill(1);
    for (let row = 0; row < ROWS; row++) if (row % 4096 > 2048) approximate[row] = 2 + row;
    const set = OrdinalSet.all(ROWS);
    const many = { rows: set.toArray(), set };
    expect(await lowestRows(many, { approximate }, WANTED)).toBeUndefined();
    const atOnce = { leastOfRuns: leastOfRunsOf(approximate), scored: set };
    expect(await lowestRows(many, { approximate, atOnce }, WANTED)).toBeUndefined();
  });
});
