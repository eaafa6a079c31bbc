import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Bench, Report } from './bench';
import { bareScan } from './support/bare-scan';
import { processTree } from './support/process-tree';
import { searchExactness } from './support/search-exactness';
import { besidePeer } from './support/search-peer';
import { searchRequests, type RequestKind } from './support/search-requests';
import { quantile } from './support/quantile';
import { makeCollection, TAG, type SearchedCollection } from './support/searched-collection';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
const PEER_ROWS = 100_000;
const DIMENSION = 512;
const RUNS = 40;
const CLIENTS = 16;
const MIX_SECONDS = 20;

/** The goals of each kind of request, in milliseconds. */
const REACH: Readonly<Record<RequestKind, readonly [p50: number, p99: number]>> = {
  labels: [40, 120],
  tags: [40, 120],
  issues: [40, 120],
  uniqueness: [40, 120],
  keywords: [80, 200],
  anchor: [25, 70],
  caption: [80, 200],
  duplicates: [60, 200],
};
const BY_VECTORS: readonly RequestKind[] = ['anchor', 'caption'];

async function eachKind(report: Report, { ask, rows }: SearchedCollection): Promise<Map<RequestKind, number>> {
  const requests = searchRequests(rows, TAG);
  const medians = new Map<RequestKind, number>();
  const table: Record<string, string | number>[] = [];
  const kinds = Object.keys(requests) as RequestKind[];
  const firsts = new Map<RequestKind, number>();
  // Loads the caches for each kind before the first measurement.
  for (const kind of kinds) firsts.set(kind, await ask(requests[kind](RUNS)));
  for (const kind of kinds) {
    await ask(requests[kind](RUNS + 1));
    const times: number[] = [];
    for (let n = 0; n < RUNS; n++) times.push(await ask(requests[kind](n)));
    const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
    medians.set(kind, p50);
    table.push({
      request: kind,
      'first ms': firsts.get(kind)!.toFixed(0),
      'p50 ms': p50.toFixed(1),
      'p99 ms': p99.toFixed(1),
    });
    const [reachP50, reachP99] = REACH[kind];
    report.figure(`${kind}, p50`, p50, 'ms', `<${reachP50}`, p50 < reachP50);
    report.figure(`${kind}, p99`, p99, 'ms', `<${reachP99}`, p99 < reachP99);
  }
  report.table(table);
  return medians;
}

/** Many concurrent clients, each of which sends its next request after the response. */
async function mixed(report: Report, { ask, rows }: SearchedCollection): Promise<void> {
  const requests = Object.values(searchRequests(rows, TAG));
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const until = performance.now() + MIX_SECONDS * 1000;
  const times: number[] = [];
  let next = 0;
  delay.enable();
  const client = async (): Promise<void> => {
    while (performance.now() < until) {
      const n = next++;
      times.push(await ask(requests[n % requests.length]!(n)));
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const perSecond = times.length / ((performance.now() - started) / 1000);
  delay.disable();
  report.note(
    `${CLIENTS} clients: p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms a request`,
  );
  report.figure('mix of 16 clients', perSecond, 'requests/s', '>=60', perSecond >= 60);
  const stall = delay.max / 1e6;
  report.figure('longest stall of the event loop under the mix', stall, 'ms', '<50', stall < 50);
}

async function run(report: Report): Promise<void> {
  const bare = await bareScan(ROWS, DIMENSION, RUNS);
  report.note(
    `bare 8-bit scan of ${ROWS} x ${DIMENSION}: ${bare.byRows.toFixed(1)} ms by rows, ${bare.byPanels.toFixed(1)} ms by panels`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'bench-search-'));
  try {
    const before = processTree().residentBytes;
    const collection = await makeCollection(report, folder, ROWS);
    const medians = await eachKind(report, collection);
    for (const kind of BY_VECTORS) {
      const ratio = medians.get(kind)! / bare.byRows;
      report.figure(`${kind}, ratio to the bare scan`, ratio, '', '<=2', ratio <= 2);
      const toFastest = medians.get(kind)! / bare.byPanels;
      report.figure(`${kind}, ratio to the fastest scan`, toFastest, '', '<=1.5', toFastest <= 1.5);
    }
    await mixed(report, collection);
    const resident = processTree().residentBytes;
    report.note(`resident before the collection was made: ${(before / 1e9).toFixed(2)} GB`);
    report.figure('resident memory, the dataset open', resident / 1e9, 'GB', '<3', resident < 3e9);
    await searchExactness(report, collection);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const small = mkdtempSync(join(tmpdir(), 'bench-search-peer-'));
  try {
    await besidePeer(report, await makeCollection(report, small, PEER_ROWS), TAG);
  } finally {
    rmSync(small, { recursive: true, force: true });
  }
}

export const bench: Bench = {
  name: 'search',
  summary:
    'one warm process, 1,000,000 media: every kind of search, exactness, concurrent clients, and a comparison with a peer at 100,000',
  run,
};
