import { MemoryVectors } from '../../../../test/support/memory-vectors';
import { OrdinalSet } from '../media-table/ordinal-set';
import { cosineDistance, exactDistances } from './exact-distances';
import { scanColumn } from './column-scan';
import { VectorMatrix } from './vector-matrix';

const ROWS = 300;
const DIMENSION = 24;
/** Several pieces with several blocks, the last one short. */
const BLOCK_ROWS = 32;

const vectors = MemoryVectors.random(ROWS, DIMENSION, 5);
vectors.clear(7);
vectors.clear(200);
const query = vectors.row(150);

it('has the same result as the matrix of the whole column', async () => {
  const scan = await scanColumn(vectors, query, { blockRows: BLOCK_ROWS });
  const matrix = await VectorMatrix.load(vectors, { blockRows: BLOCK_ROWS });
  const whole = await matrix.scan(query);
  expect(await scan.nearest(40)).toEqual(await whole.nearest(40));
  for (let ordinal = 0; ordinal < ROWS; ordinal++) {
    const distance = cosineDistance(query, vectors.row(ordinal), 0);
    if (Number.isNaN(distance)) continue;
    // Each cut equals the distance of a vector, so that rounding errors would be noticed.
    for (const inclusive of [true, false]) {
      const cut = { distance, inclusive };
      const passed = await scan.within(cut);
      expect(passed.toArray()).toEqual((await whole.within(cut)).toArray());
      expect(passed.has(ordinal)).toBe(inclusive);
    }
  }
  matrix.close();
});

it('scans candidates only, and finds no row without a vector', async () => {
  const scan = await scanColumn(vectors, query, { blockRows: BLOCK_ROWS });
  const some = OrdinalSet.of(ROWS, [7, 8, 9, 200, 201]);
  expect((await scan.nearest(10, some)).map(({ ordinal }) => ordinal).sort((a, b) => a - b)).toEqual([8, 9, 201]);
  expect((await scan.within({ distance: 2, inclusive: true }, some)).toArray()).toEqual(Int32Array.of(8, 9, 201));
});

it('refines distances within the error bound', async () => {
  const scan = await scanColumn(vectors, query, { blockRows: BLOCK_ROWS });
  const ordinals = Int32Array.of(299, 0, 150);
  const exact = await exactDistances(vectors, query, ordinals);
  for (const [at, refined] of (await scan.refine(ordinals)).entries())
    expect(Math.abs(refined - exact[at]!)).toBeLessThanOrEqual(scan.refinedTolerance);
});

it('reads the column once, with one piece in memory at a time', async () => {
  const once = MemoryVectors.random(ROWS, DIMENSION, 6);
  let open = 0;
  for await (const { first, matrix } of VectorMatrix.inPieces(once, { blockRows: BLOCK_ROWS })) {
    expect(matrix.rows).toBe(Math.min(4 * BLOCK_ROWS, ROWS - first));
    open += 1;
  }
  expect([open, once.batchesRead]).toEqual([3, 1]);
});
