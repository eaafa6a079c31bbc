import { structureOfVectors } from '../../test/support/structures';
import type { Report } from '../bench';
import { quantile } from './quantile';
import type { SearchedCollection } from './searched-collection';
import { searchRequests } from './search-requests';

const RUNS = 20;
const THREADS = 2;
const LADDER = [0.95, 0.85, 0.75, 0.65, 0.55] as const;

/** The seconds of FiftyOne 1.22 for the same searches with 100,000 samples on a machine with two cores. */
const PEER = { label: 0.09, facets: 0.064, ranking: 1.9, duplicates: 114, uniqueness: 88 };

export async function besidePeer(report: Report, collection: SearchedCollection, tag: string): Promise<void> {
  const { search, rows, ask } = collection;
  const requests = searchRequests(rows, tag);
  const median = async (run: (n: number) => Promise<unknown>): Promise<number> => {
    await run(RUNS);
    const times: number[] = [];
    for (let n = 0; n < RUNS; n++) {
      const started = performance.now();
      await run(n);
      times.push((performance.now() - started) / 1000);
    }
    return quantile(times, 0.5);
  };
  const label = await median((n) => ask(requests.labels(n)));
  const facets = await median((n) => search.facets.of(search.state(), requests.labels(n)));
  const ranking = await median((n) => ask(requests.anchor(n)));
  const compared = await compareAll(collection);
  const ours = { label, facets, ranking, duplicates: compared, uniqueness: compared };
  report.table(
    (Object.keys(PEER) as (keyof typeof PEER)[]).map((what) => ({
      what,
      'peer s': PEER[what],
      'ours s': ours[what].toPrecision(3),
      'times faster': (PEER[what] / ours[what]).toPrecision(3),
    })),
  );
  for (const what of Object.keys(PEER) as (keyof typeof PEER)[]) {
    const wanted = what === 'label' || what === 'facets' ? 3 : 10;
    const faster = PEER[what] / ours[what];
    report.figure(`${what} at ${rows}, times faster than the peer`, faster, '', `>=${wanted}`, faster >= wanted);
  }
}

/** Computes near duplicates, uniqueness, outliers and clusters from the vectors only. */
async function compareAll({ tables, pointer, rows }: SearchedCollection): Promise<number> {
  const table = await tables.open(pointer);
  const dimension = table.dimensions.embedding;
  const vectors = new Float32Array(new SharedArrayBuffer(rows * dimension * Float32Array.BYTES_PER_ELEMENT));
  for await (const { first, columns } of table.readColumns(['embedding']))
    vectors.set(columns['embedding'] as Float32Array, first * dimension);
  const contentGroup = Int32Array.from({ length: rows }, (_, i) => i);
  const started = performance.now();
  await structureOfVectors({ count: rows, dimension, vectors, contentGroup, ladder: LADDER, threads: THREADS });
  return (performance.now() - started) / 1000;
}
