import { DEFAULT_IMAGE_MODEL } from '../src/common/platform/config/runtime-settings.schema';
import { ModelRegistry } from '../src/common/engine/models/model-registry';
import { structureOfVectors } from '../test/support/structures';
import { ThreadPool } from '../src/common/engine/similarity/threads/thread-pool';
import { neighbourGraph } from '../src/common/engine/similarity/neighbours/neighbour-graph';
import { scoreEveryPair } from '../src/common/engine/similarity/neighbours/neighbour-search';
import { everyRowOf } from '../src/common/engine/similarity/rows/filed-rows';
import { VectorTable } from '../src/common/engine/similarity/vectors/vector-table';
import type { Bench, Report } from './bench';
import { chainingCases, joinedCases } from './support/chaining-cases';
import { connectedComponents, type Edges } from './support/connected-components';
import { describedSample } from './support/described-sample';
import { agreementOf, pairAgreement, type PairAgreement } from '../src/model-tools/pair-agreement';
import { placedPart } from './support/placed-part';

type Ladder = readonly [number, number, number, number, number];

interface Vectors {
  readonly count: number;
  readonly dimension: number;
  readonly vectors: Float32Array;
}

const THREADS = 2;
const PLACED_SHARE = 0.1;
const PLACED_SEEDS = [1, 2, 3, 4, 5, 6];
const CHAINING_CASES = 60;
/** The last level is well below the similarity of two members of one family. */
const CHAINING_LADDER: Ladder = [0.9, 0.8, 0.7, 0.6, 0.5];
const THRESHOLDS = Array.from({ length: 200 }, (_, at) => at / 200);

interface Scored extends PairAgreement {
  readonly cut: number;
}

const best = (scored: readonly Scored[]): Scored => scored.reduce((a, b) => (b.f1 > a.f1 ? b : a));

async function clustersOf({ count, dimension, vectors }: Vectors, ladder: Ladder): Promise<readonly Int32Array[]> {
  const contentGroup = Int32Array.from({ length: count }, (_, item) => item);
  const input = { count, dimension, vectors, contentGroup, ladder, threads: THREADS };
  return (await structureOfVectors(input)).clusters;
}

/** The graph that the clusters of so few pictures are derived from. */
async function graphOf({ count, dimension, vectors }: Vectors): Promise<Edges> {
  const table = VectorTable.allocate(count, dimension);
  for (let row = 0; row < count; row++) table.row(row).set(vectors.subarray(row * dimension, (row + 1) * dimension));
  const pool = new ThreadPool(THREADS, new Int32Array(new SharedArrayBuffer(4)));
  try {
    const neighbours = await scoreEveryPair(everyRowOf(table, count), pool, () => undefined);
    const { first, second, similarity } = neighbourGraph(neighbours, 0);
    return { first, second, cosine: similarity };
  } finally {
    await pool.close();
  }
}

const row = (name: string, { cut, f1, purity, precision, recall }: Scored): Record<string, string> => ({
  '': name,
  cut: cut.toFixed(3),
  F1: f1.toFixed(4),
  purity: purity.toFixed(4),
  precision: precision.toFixed(4),
  recall: recall.toFixed(4),
});

async function reportSample(report: Report): Promise<void> {
  const model = (await ModelRegistry.load(null)).get('IMAGE_ENCODING', DEFAULT_IMAGE_MODEL);
  const sample = await describedSample(model);
  const { ladder } = model.manifest.calibration;
  report.note(`${sample.count} pictures of the sample, ${sample.families} families`);
  const levels = (await clustersOf(sample, ladder)).map((clusters, level) => ({
    cut: ladder[level]!,
    ...pairAgreement(clusters, sample.family),
  }));
  const graph = await graphOf(sample);
  const components = THRESHOLDS.map((cut) => ({
    cut,
    ...pairAgreement(connectedComponents(sample.count, graph, cut), sample.family),
  }));
  const ours = best(levels);
  const theirs = best(components);
  report.table([
    ...levels.map((level, at) => row(`level ${at}`, level)),
    row('connected components at their best', theirs),
  ]);
  report.figure('pairwise F1 of the best level', ours.f1, '', `>${theirs.f1.toFixed(4)}`, ours.f1 > theirs.f1);
  report.figure(
    'purity of the best level',
    ours.purity,
    '',
    `>${theirs.purity.toFixed(4)}`,
    ours.purity > theirs.purity,
  );
}

/** Compares items that are added later and placed among the known ones with a full index. */
async function reportPlaced(report: Report): Promise<void> {
  const model = (await ModelRegistry.load(null)).get('IMAGE_ENCODING', DEFAULT_IMAGE_MODEL);
  const sample = await describedSample(model);
  const { ladder } = model.manifest.calibration;
  const contentGroup = Int32Array.from({ length: sample.count }, (_, item) => item);
  const input = { ...sample, contentGroup, ladder, threads: THREADS };
  const full = (await structureOfVectors(input)).clusters;
  const parts = await inTurn(PLACED_SEEDS, (seed) => placedPart(input, PLACED_SHARE, seed));
  const mean = (value: (part: (typeof parts)[number]) => number): string =>
    (parts.reduce((sum, part) => sum + value(part), 0) / parts.length).toFixed(4);
  report.note(`${PLACED_SHARE * 100} % of the sample placed after the others were indexed, pairs with a placed one`);
  report.table(
    full.map((level, at) => ({
      level: at,
      'F1 against indexing all': mean(({ clusters, isPlaced }) => agreementOf(isPlaced, clusters[at]!, level).f1),
      'F1 against the families': mean(
        ({ clusters, isPlaced }) => agreementOf(isPlaced, clusters[at]!, sample.family).f1,
      ),
      'of indexing all': mean(({ isPlaced }) => agreementOf(isPlaced, level, sample.family).f1),
    })),
  );
}

async function inTurn<T, R>(items: readonly T[], make: (item: T) => Promise<R>): Promise<R[]> {
  const made: R[] = [];
  for (const item of items) made.push(await make(item));
  return made;
}

async function reportChaining(report: Report): Promise<void> {
  const cases = chainingCases(CHAINING_CASES);
  const levels = await clustersOf(cases, CHAINING_LADDER);
  const graph = await graphOf(cases);
  report.table(
    levels.map((clusters, level) => ({
      cut: CHAINING_LADDER[level]!,
      'joined by a level': joinedCases(cases, clusters),
      'joined by connected components': joinedCases(
        cases,
        connectedComponents(cases.count, graph, CHAINING_LADDER[level]!),
      ),
    })),
  );
  const joined = Math.max(...levels.map((clusters) => joinedCases(cases, clusters)));
  report.figure(`chaining cases joined, of ${CHAINING_CASES}`, joined, '', '=0', joined === 0);
}

export const bench: Bench = {
  name: 'cluster-quality',
  summary:
    "clusters compared with the sample's families and with connected components; families linked by similar images",
  async run(report) {
    await reportChaining(report);
    await reportSample(report);
    await reportPlaced(report);
  },
};
