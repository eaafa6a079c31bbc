import { cosineDistance } from '../src/common/engine/vectors/exact-distances';
import { VectorMatrix, type CosineScan, type NearRow } from '../src/common/engine/vectors/vector-matrix';
import type { Bench, Report } from './bench';
import { bareScan } from './support/bare-scan';
import { longestTurn } from './support/longest-turn';
import { UnitVectors } from './support/unit-vectors';
import { quantile } from './support/quantile';

const ROWS = 1_000_000;
const DIMENSION = 512;
const RUNS = 40;
const CLIENTS = 16;
const NEAREST = 100;
const QUERIES = 8;
/** Cosine distances with few rows below the first and half of the rows below the last. */
const CUTS = [0.3, 0.8, 0.9, 1];

async function timed(times: number, run: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  for (let at = 0; at < times; at++) {
    const started = performance.now();
    await run();
    took.push(performance.now() - started);
  }
  return took;
}

async function bruteForce(source: UnitVectors, queries: readonly Float32Array[]): Promise<Float64Array[]> {
  const all = queries.map(() => new Float64Array(ROWS));
  for await (const { first, count, vectors } of source.batches()) {
    queries.forEach((query, at) => {
      for (let row = 0; row < count; row++) all[at]![first + row] = cosineDistance(query, vectors, row * DIMENSION);
    });
  }
  return all;
}

function nearestOf(distances: Float64Array): NearRow[] {
  const farthest = distances.slice().sort()[NEAREST - 1]!;
  const rows: NearRow[] = [];
  distances.forEach((distance, ordinal) => distance <= farthest && rows.push({ ordinal, distance }));
  return rows.sort((a, b) => a.distance - b.distance || a.ordinal - b.ordinal).slice(0, NEAREST);
}

async function exactness(report: Report, scans: readonly CosineScan[], truth: readonly Float64Array[]): Promise<void> {
  let wrong = 0;
  let found = 0;
  let off = 0;
  const rows: Record<string, string | number>[] = [];
  for (const cut of CUTS) {
    let passed = 0;
    const took: number[] = [];
    for (const [at, scan] of scans.entries()) {
      const started = performance.now();
      const set = await scan.within({ distance: cut, inclusive: true });
      took.push(performance.now() - started);
      passed += set.size;
      truth[at]!.forEach((distance, row) => (wrong += Number(set.has(row) !== distance <= cut)));
    }
    rows.push({ cut, rows: passed / scans.length, 'p50 ms': quantile(took, 0.5).toFixed(1) });
  }
  const took: number[] = [];
  for (const [at, scan] of scans.entries()) {
    const started = performance.now();
    const nearest = await scan.nearest(NEAREST);
    took.push(performance.now() - started);
    const expected = nearestOf(truth[at]!);
    found += nearest.filter(({ ordinal }, place) => ordinal === expected[place]!.ordinal).length;
    truth[at]!.forEach((distance, row) => (off = Math.max(off, Math.abs(distance - scan.distances[row]!))));
  }
  rows.push({ cut: `nearest ${NEAREST}`, rows: NEAREST, 'p50 ms': quantile(took, 0.5).toFixed(1) });
  report.table(rows);
  const recall = found / (NEAREST * scans.length);
  report.figure('rows on the wrong side of a cut', wrong, '', '0', wrong === 0);
  report.figure(`recall@${NEAREST}, in order`, recall, '', '>=0.999', recall >= 0.999);
  const { tolerance } = scans[0]!;
  report.figure('most that a distance is off', off, '', `<=${tolerance.toPrecision(3)}`, off <= tolerance);
}

async function run(report: Report): Promise<void> {
  const bare = await bareScan(ROWS, DIMENSION, RUNS);
  report.note(
    `bare matrix product over ${ROWS} x ${DIMENSION} bytes: ${bare.byRows.toFixed(1)} ms by rows, ${bare.byPanels.toFixed(1)} ms by panels`,
  );
  const source = new UnitVectors(ROWS, DIMENSION);
  const started = performance.now();
  const matrix = await VectorMatrix.load(source);
  report.note(
    `made and loaded in ${((performance.now() - started) / 1000).toFixed(1)} s, ${(matrix.bytes / 2 ** 20).toFixed(0)} MiB`,
  );
  const queries = await Promise.all(
    Array.from({ length: QUERIES }, (_, at) => source.take(Int32Array.of((at * 111_111) % ROWS))),
  );
  await matrix.scan(queries[0]!);
  const took = await timed(RUNS, () => matrix.scan(queries[1]!));
  const p50 = quantile(took, 0.5);
  report.note(`one at a time: p50 ${p50.toFixed(1)} ms, p99 ${quantile(took, 0.99).toFixed(1)} ms`);
  report.figure('whole ranking to the bare product', p50 / bare.byRows, '', '<=2', p50 / bare.byRows <= 2);
  report.note(`whole ranking to the fastest product: ${(p50 / bare.byPanels).toFixed(2)}`);
  const together: number[] = [];
  const turn = await longestTurn(async () => {
    const begun = performance.now();
    const client = async (at: number): Promise<void> => {
      together.push(...(await timed(4, () => matrix.scan(queries[at % QUERIES]!))));
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, at) => client(at)));
    report.note(`${CLIENTS} clients: ${((CLIENTS * 4000) / (performance.now() - begun)).toFixed(1)} rankings/s`);
  });
  report.note(
    `${CLIENTS} clients: p50 ${quantile(together, 0.5).toFixed(1)} ms, p99 ${quantile(together, 0.99).toFixed(1)} ms`,
  );
  report.figure('longest turn of the event loop meanwhile, CPU', turn, 'ms', '<50', turn < 50);
  const scans = await Promise.all(queries.map((query) => matrix.scan(query)));
  await exactness(report, scans, await bruteForce(source, queries));
}

export const bench: Bench = {
  name: 'scan',
  summary: 'ranking a million vectors in memory: time compared with a plain matrix product, and exactness',
  run,
};
