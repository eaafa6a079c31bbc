import fc from 'fast-check';
import { OrdinalSet } from '../media-table/ordinal-set';
import { cosineDistance } from './exact-distances';
import { RUN_ROWS } from './found-distances';
import { VectorMatrix } from './vector-matrix';
import type { VectorSource } from './vector-source';
import { MemoryVectors } from '../../../../test/support/memory-vectors';

/** Small, so that small matrices have several blocks. */
const BLOCK_ROWS = 1024;

const trueDistances = (query: Float32Array, { vectors, rows, dimension }: MemoryVectors): number[] =>
  Array.from({ length: rows }, (_, row) => cosineDistance(query, vectors, row * dimension));

function nearestOf(distances: readonly number[], limit: number, isCandidate: (row: number) => boolean = () => true) {
  return distances
    .map((distance, ordinal) => ({ ordinal, distance }))
    .filter(({ ordinal, distance }) => !Number.isNaN(distance) && isCandidate(ordinal))
    .sort((a, b) => a.distance - b.distance || a.ordinal - b.ordinal)
    .slice(0, limit);
}

const rowsWhere = (distances: readonly number[], passes: (distance: number) => boolean): number[] =>
  distances.flatMap((distance, row) => (passes(distance) ? [row] : []));

const smallest = 2 ** -149;
const number = fc.oneof(
  { weight: 5, arbitrary: fc.float({ min: -1, max: 1, noNaN: true }) },
  fc.constantFrom(0, -0, smallest, -3 * smallest, 1, -1, 0.5, 1e-20, 1e30, -1e30),
);

const vectorOf = (dimension: number) =>
  fc.oneof(
    fc.array(number, { minLength: dimension, maxLength: dimension }),
    fc.constant(Array.from({ length: dimension }, () => 0)),
    fc.constant(Array.from({ length: dimension }, () => 0.25)),
    fc.nat(dimension - 1).map((place) => Array.from({ length: dimension }, (_, at) => (at === place ? 1 : 1e-4))),
    fc.nat(dimension - 1).map((place) => Array.from({ length: dimension }, (_, at) => (at === place ? -1 : smallest))),
  );

const collections = fc.integer({ min: 1, max: 40 }).chain((dimension) =>
  fc.record({
    dimension: fc.constant(dimension),
    distinct: fc.array(vectorOf(dimension), { minLength: 1, maxLength: 40 }),
    copies: fc.array(fc.nat(), { maxLength: 20 }),
    query: vectorOf(dimension).filter((vector) => vector.some((value) => value !== 0)),
  }),
);

const isInside = (approximate: number, exact: number, bound: number): boolean =>
  Number.isNaN(exact) ? approximate === Infinity : Math.abs(approximate - exact) <= bound;

test('bounds hold for any vectors, and cuts and nearest rows equal those of 64-bit arithmetic', async () => {
  await fc.assert(
    fc.asyncProperty(collections, fc.nat(35), fc.double({ min: 0, max: 2, noNaN: true }), async (made, limit, cut) => {
      const { distinct, copies, dimension } = made;
      const source = new MemoryVectors(
        [...distinct, ...copies.map((copy) => distinct[copy % distinct.length]!)],
        dimension,
      );
      const query = Float32Array.from(made.query);
      const matrix = await VectorMatrix.load(source);
      const scan = await matrix.scan(query);
      const exact = trueDistances(query, source);
      const refined = await scan.refine(Int32Array.from(exact.keys()));
      exact.forEach((distance, row) => {
        expect(isInside(scan.distances[row]!, distance, scan.tolerance)).toBe(true);
        expect(isInside(refined[row]!, distance, scan.refinedTolerance)).toBe(true);
        expect(matrix.has(row)).toBe(!Number.isNaN(distance));
      });
      const candidates = OrdinalSet.of(
        source.rows,
        rowsWhere(exact, (distance) => distance > 0.3),
      );
      const isOfFew = (row: number): boolean => row % 16 === 3;
      const few = OrdinalSet.of(source.rows, [...exact.keys()].filter(isOfFew));
      expect(await scan.nearest(limit)).toEqual(nearestOf(exact, limit));
      expect(await scan.nearest(limit, few)).toEqual(nearestOf(exact, limit, isOfFew));
      expect(await scan.nearest(limit, candidates)).toEqual(nearestOf(exact, limit, (row) => candidates.has(row)));
      for (const distance of [cut, 0, 2, ...exact.filter((each) => !Number.isNaN(each)).slice(0, 4)]) {
        const inclusive = await scan.within({ distance, inclusive: true });
        const exclusive = await scan.within({ distance, inclusive: false }, candidates);
        expect([...inclusive.toArray()]).toEqual(rowsWhere(exact, (each) => each <= distance));
        expect([...exclusive.toArray()]).toEqual(rowsWhere(exact, (each) => each < distance && each > 0.3));
        const ofFew = await scan.within({ distance, inclusive: true }, few);
        expect([...ofFew.toArray()]).toEqual(rowsWhere(exact, (each) => each <= distance).filter(isOfFew));
      }
    }),
    { numRuns: 25 },
  );
});

describe('a matrix of several blocks', () => {
  const dimension = 24;
  const blockRows = 65_536;
  const source = MemoryVectors.random(blockRows * 2 + 777, dimension, 5);
  let matrix: VectorMatrix;

  beforeAll(async () => {
    source.clear(3);
    source.clear(blockRows + 1);
    matrix = await VectorMatrix.load(source, { blockRows, threads: 2 });
  });

  it('reports its size in bytes', () => {
    expect(matrix.bytes).toBe(source.rows * (2 * dimension + 32) + 160 * 1024);
    expect([matrix.has(2), matrix.has(3), matrix.has(blockRows + 1), matrix.has(source.rows)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('reads few exact vectors for an exact result', async () => {
    const query = source.row(40_000);
    const scan = await matrix.scan(query);
    const exact = trueDistances(query, source);
    const taken = source.taken;
    expect(await scan.nearest(50)).toEqual(nearestOf(exact, 50));
    expect((await scan.nearest(1))[0]).toEqual({ ordinal: 40_000, distance: 0 });
    const cut = exact[123]!;
    const within = await scan.within({ distance: cut, inclusive: true });
    expect([...within.toArray()]).toEqual(rowsWhere(exact, (distance) => distance <= cut));
    expect(source.taken - taken).toBeLessThan(300);
  });

  it.each([0, RUN_ROWS * 3])(
    'returns the minimum distance of each run, for its rows and %d missing rows',
    async (more) => {
      const rows = source.rows + more;
      const scan = await matrix.scan(source.row(70), rows);
      const { leastOfRuns, scored } = scan.atOnce!;
      expect(leastOfRuns).toHaveLength(Math.ceil(rows / RUN_ROWS));
      const leastOf = (run: number): number =>
        Math.min(...scan.distances.subarray(run * RUN_ROWS, (run + 1) * RUN_ROWS));
      const last = Math.floor(source.rows / RUN_ROWS);
      for (const [run, least] of leastOfRuns.entries()) expect(least).toBe(run === last ? -Infinity : leastOf(run));
      if (more > 0) expect(scored).toBeUndefined();
      else expect(scored).toEqual(OrdinalSet.all(rows).without(OrdinalSet.of(rows, [3, blockRows + 1])));
      scan.place(blockRows + 5, -1);
      expect(leastOfRuns[blockRows / RUN_ROWS]).toBe(-1);
      expect((await scan.within({ distance: -0.5, inclusive: true })).toArray()).toEqual(Int32Array.of(blockRows + 5));
      scan.release();
    },
  );

  it('consists of blocks with whole runs', async () => {
    await expect(VectorMatrix.load(source, { blockRows: 1000 })).rejects.toThrow('A block cannot have 1000 rows');
  });

  it('refines few rows and many rows with the same result', async () => {
    const query = source.row(1);
    const scan = await matrix.scan(query);
    const exact = trueDistances(query, source);
    const all = await scan.refine(Int32Array.from(exact.keys()));
    const few = await scan.refine(Int32Array.of(source.rows - 1, 3, 9000));
    expect([...few]).toEqual([all[source.rows - 1], Infinity, all[9000]]);
    const worst = exact.reduce(
      (most, distance, row) => (distance >= 0 ? Math.max(most, Math.abs(distance - all[row]!)) : most),
      0,
    );
    expect(worst).toBeLessThanOrEqual(scan.refinedTolerance);
    expect(scan.refinedTolerance).toBeLessThan(5e-5);
    expect(scan.tolerance).toBeLessThan(0.012);
  });

  it('gives concurrent queries the same results as single ones', async () => {
    const queries = Array.from({ length: 20 }, (_, at) => source.row(100 + at));
    const together = await Promise.all(queries.map((query) => matrix.scan(query)));
    for (const [at, query] of queries.entries()) {
      const alone = await matrix.scan(query);
      expect(together[at]!.distances.every((distance, row) => distance === alone.distances[row])).toBe(true);
    }
  });

  it('rejects a query that is zero or has the wrong length', async () => {
    await expect(matrix.scan(new Float32Array(dimension))).rejects.toThrow('must not be zero');
    await expect(matrix.scan(new Float32Array(dimension).fill(NaN))).rejects.toThrow('must not be zero');
    await expect(matrix.scan(Float32Array.of(1))).rejects.toThrow('The query has 1 numbers, the vectors have 24');
  });
});

describe('a matrix that extends another one of its series', () => {
  const all = MemoryVectors.random(4321, 12, 8);
  const firstRows = (rows: number): MemoryVectors =>
    new MemoryVectors(
      Array.from({ length: rows }, (_, row) => all.row(row)),
      all.dimension,
    ).ofSeries('vectors');
  const load = (source: MemoryVectors, like?: VectorMatrix): Promise<VectorMatrix> =>
    VectorMatrix.load(source, { blockRows: BLOCK_ROWS, threads: 2, like });

  it.each([
    ['longer', 2500, 4321, 2 * BLOCK_ROWS],
    ['shorter', 4321, 2500, 2 * BLOCK_ROWS],
    ['as long', 2500, 2500, 2500],
    ['shorter than a block', 2500, 999, 0],
    ['longer by less than a block', 500, 900, 0],
  ])('reads only the rows that are not shared, if it is %s', async (_, before, after, shared) => {
    const earlier = await load(firstRows(before));
    const source = firstRows(after);
    const read: number[] = [];
    source.onBatch = (first) => read.push(first);
    const later = await load(source, earlier);
    expect(read).toEqual(
      Array.from({ length: Math.ceil((after - shared) / BLOCK_ROWS) }, (_each, i) => shared + i * BLOCK_ROWS),
    );
    const query = all.row(17);
    const [alone, earlierAlone] = await Promise.all([load(firstRows(after)), load(firstRows(before))]);
    const expected = await alone.scan(query);
    earlier.close();
    for (let turn = 0; turn < 2; turn++) {
      const scan = await later.scan(query);
      expect(scan.distances).toEqual(expected.distances);
      const every = Int32Array.from({ length: after }, (_each, row) => row);
      expect(await scan.refine(every)).toEqual(await expected.refine(every));
      expect(await scan.nearest(9)).toEqual(await expected.nearest(9));
    }
    await expect(earlier.scan(query)).rejects.toThrow('The matrix is closed');
    later.close();
    expect((await earlierAlone.scan(query)).distances).toHaveLength(before);
  });

  it('does not share a block with a different row', async () => {
    const earlier = await load(firstRows(4321));
    const source = firstRows(4321);
    source.clear(2500);
    source.ofSeries('vectors');
    const read: number[] = [];
    source.onBatch = (first) => read.push(first);
    const later = await load(source, earlier);
    expect(read).toEqual([2 * BLOCK_ROWS, 3 * BLOCK_ROWS, 4 * BLOCK_ROWS]);
    expect([later.has(2499), later.has(2500), earlier.has(2500)]).toEqual([true, false, true]);
  });

  it('does not affect the earlier one when it is closed first', async () => {
    const earlier = await load(firstRows(2500));
    const query = all.row(17);
    const before = await earlier.scan(query);
    (await load(firstRows(4321), earlier)).close();
    const after = await earlier.scan(query);
    expect(after.distances).toEqual(before.distances);
    expect(await after.nearest(5)).toEqual(await before.nearest(5));
  });
});

describe('a matrix loaded in parts', () => {
  const source = MemoryVectors.random(5_321, 12, 8).ofSeries('vectors');
  const query = source.row(17);
  const earlierOf = (rows: number): Promise<VectorMatrix> =>
    VectorMatrix.load(
      new MemoryVectors(
        Array.from({ length: rows }, (_, row) => source.row(row)),
        source.dimension,
      ).ofSeries('vectors'),
      { blockRows: BLOCK_ROWS, threads: 2 },
    );

  it.each([
    ['nothing that it shares', 0, [BLOCK_ROWS, 2 * BLOCK_ROWS, 4 * BLOCK_ROWS, 5321]],
    ['one block of another', 1500, [BLOCK_ROWS, 2 * BLOCK_ROWS, 4 * BLOCK_ROWS, 5321]],
    ['most of another', 4999, [4 * BLOCK_ROWS, 5321]],
    ['all of another', 5321, [5321]],
  ])('is available for the first rows before the last are read, with %s', async (_, before, ends) => {
    const like = before === 0 ? undefined : await earlierOf(before);
    const whole = await (await VectorMatrix.load(source, { blockRows: BLOCK_ROWS, threads: 2 })).scan(query);
    const lengths: number[] = [];
    let part: VectorMatrix | undefined;
    const firsts: number[] = [];
    source.onBatch = (first) => firsts.push(first);
    for await (const matrix of VectorMatrix.loadInParts(source, { blockRows: BLOCK_ROWS, threads: 2, like })) {
      part?.close();
      part = matrix;
      lengths.push(matrix.rows);
      const scan = await matrix.scan(query, source.rows);
      expect(scan.distances.subarray(0, matrix.rows)).toEqual(whole.distances.subarray(0, matrix.rows));
      expect(scan.distances.subarray(matrix.rows).every((distance) => distance === Infinity)).toBe(true);
      const near = await scan.within({ distance: 2, inclusive: true });
      expect([near.rows, near.size]).toEqual([source.rows, matrix.rows]);
      expect((await scan.nearest(source.rows)).length).toBe(matrix.rows);
    }
    source.onBatch = () => undefined;
    expect(lengths).toEqual(ends);
    expect(firsts).toEqual([...new Set(firsts)]);
    part!.close();
    like?.close();
  });

  it('fails if the vectors end too early, without affecting the earlier parts', async () => {
    const short: VectorSource = {
      rows: source.rows,
      dimension: source.dimension,
      async *batches(signal, from) {
        for await (const batch of source.batches(signal, from)) if (batch.first < 3 * BLOCK_ROWS) yield batch;
      },
      take: (ordinals) => source.take(ordinals),
    };
    const parts = VectorMatrix.loadInParts(short, { blockRows: BLOCK_ROWS, threads: 2 });
    const first = (await parts.next()).value!;
    const second = (await parts.next()).value!;
    await expect(parts.next()).rejects.toThrow(`The vectors end at row ${3 * BLOCK_ROWS}`);
    expect((await (await first.scan(query)).nearest(1))[0]!.ordinal).toBe(17);
    expect((await (await second.scan(query)).nearest(1))[0]!.ordinal).toBe(17);
  });
});

test('scans started before a close continue, later ones are rejected', async () => {
  const source = MemoryVectors.random(100, 16, 9);
  const matrix = await VectorMatrix.load(source);
  const scan = await matrix.scan(source.row(7));
  matrix.close();
  expect(await scan.nearest(2)).toEqual(nearestOf(trueDistances(source.row(7), source), 2));

  const unused = await VectorMatrix.load(source);
  unused.close();
  unused.close();
  await expect(unused.scan(source.row(7))).rejects.toThrow('The matrix is closed');
});

test('a released scan returns its memory for reuse, and can be released twice', async () => {
  const source = MemoryVectors.random(100, 16, 9);
  const matrix = await VectorMatrix.load(source);
  const [scan, other] = await Promise.all([matrix.scan(source.row(7)), matrix.scan(source.row(7))]);
  scan.release();
  scan.release();
  const later = [await matrix.scan(source.row(8)), await matrix.scan(source.row(9))];
  expect(later[0]!.distances).toBe(scan.distances);
  expect(later[1]!.distances).not.toBe(scan.distances);
  expect(await later[0]!.nearest(1)).toEqual([{ ordinal: 8, distance: 0 }]);
  expect(await other.nearest(1)).toEqual([{ ordinal: 7, distance: 0 }]);
});

test('a matrix without rows finds nothing', async () => {
  const scan = await (await VectorMatrix.load(new MemoryVectors([], 8))).scan(new Float32Array(8).fill(1));
  expect(await scan.nearest(3)).toEqual([]);
  expect((await scan.within({ distance: 2, inclusive: true })).size).toBe(0);
});

test('a matrix without vectors finds nothing', async () => {
  const source = new MemoryVectors(
    [
      [0, 0],
      [0, 0],
      [NaN, 1],
      [Infinity, 1],
    ],
    2,
  );
  const scan = await (await VectorMatrix.load(source)).scan(Float32Array.of(1, 2));
  expect([...scan.distances]).toEqual([Infinity, Infinity, Infinity, Infinity]);
  expect(await scan.nearest(3)).toEqual([]);
  expect((await scan.within({ distance: Infinity, inclusive: true })).size).toBe(0);
});

test('an aborted load ends', async () => {
  const controller = new AbortController();
  const source = MemoryVectors.random(5000, 16, 1);
  source.onBatch = (first) => first > 2000 && controller.abort(new Error('enough'));
  await expect(VectorMatrix.load(source, { signal: controller.signal })).rejects.toThrow('enough');
  await expect(VectorMatrix.load(source, { signal: controller.signal })).rejects.toThrow('enough');
  expect(source.batchesRead).toBeLessThan(5);
});
