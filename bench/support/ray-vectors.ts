import { randomBytes } from 'node:crypto';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { driverEvents } from '../../src/common/engine/ray/driver-log';
import { RayJobs } from '../../src/common/engine/ray/ray-jobs';
import { RaySteps } from '../../src/common/engine/ray/ray-steps';
import type { SimilarityStructure } from '../../src/common/engine/similarity/similarity-structure';
import { pairAgreement } from '../../src/model-tools/pair-agreement';
import { RayNeighbours } from '../../src/modules/tables/neighbours/ray-neighbours';
import { folderStore } from '../../test/support/folder-store';
import { GeneratedGroups } from '../../test/support/generated-groups';
import { RayCluster } from '../../test/support/ray-cluster';
import type { Report } from '../bench';
import { compareVectors, type ComparedVectors } from './compared-vectors';

const GOAL = 1.25;
const MOST_AGAIN = 1;
const MEMBERS_A_GROUP = 50;
const DIMENSION = 512;
/** A fraction of the progress in the middle of the steps. */
const MIDDLE = 0.45;
/** Comparing in files reorders rows, which changes the order of equally near neighbours. */
const MOST_DIFFERENT = 1e-4;
const LEAST_AGREEMENT = 0.999;

/** Compares generated vectors in this process and on three Ray nodes, one of which is killed in a second run. */
export async function compareByRay(report: Report, place: string, bin: string, count: number): Promise<void> {
  const known = new GeneratedGroups({ count, dimension: DIMENSION, groups: Math.ceil(count / MEMBERS_A_GROUP) });
  const memoryBytes = Math.floor(totalmem() / 2);
  const here = await compareVectors(known, { engine: null, dataDir: join(place, 'local'), memoryBytes });
  const token = randomBytes(24).toString('hex');
  const variables = {
    STORAGE_URL: pathToFileURL(join(place, 'store')).href,
    MEDIA_ROOTS: place,
    DATA_DIR: join(place, 'nodes'),
  };
  const cluster = await RayCluster.start({ bin, token, variables });
  try {
    const store = folderStore(place);
    const steps = new RaySteps(store, new RayJobs({ address: cluster.url, token, timeoutMs: 30_000 }));
    const asked = {
      engine: new RayNeighbours(steps, store, { leastVectors: 1 }),
      dataDir: join(place, 'worker'),
      memoryBytes,
    };
    const nodes = await compareVectors(known, asked);
    report.note(
      `${count} x ${DIMENSION}: ${here.seconds.toFixed(1)} s here, ${nodes.seconds.toFixed(1)} s on three nodes`,
    );
    const ratio = nodes.seconds / here.seconds;
    report.figure('three Ray nodes beside the engine local', ratio, '', `<=${GOAL}`, ratio <= GOAL);
    reportSame(report, 'three nodes', known, here, nodes);
    let killed: Promise<void> | undefined;
    const kill = (part: number): void => {
      if (part > MIDDLE) killed ??= cluster.killNode(2);
    };
    const fewer = await compareVectors(known, { ...asked, onPart: kill });
    await killed;
    report.note(`${fewer.seconds.toFixed(1)} s with a node that is killed in the middle`);
    const logs = await Promise.all((await cluster.jobsOf(fewer.taskId)).map((job) => cluster.logsOf(job)));
    const again = driverEvents(logs.join('')).filter(({ event }) => event === 'lost').length;
    report.figure('steps done again after a node was killed', again, '', `<=${MOST_AGAIN}`, again <= MOST_AGAIN);
    reportSame(report, 'after a node was killed', known, here, fewer);
  } finally {
    await cluster.stop();
  }
}

const pairsOf = ({ edges }: SimilarityStructure): Set<number> => {
  const pairs = new Set<number>();
  edges.first.forEach((first, at) => pairs.add(first * 2 ** 26 + edges.second[at]!));
  return pairs;
};

function reportSame(
  report: Report,
  name: string,
  known: GeneratedGroups,
  { structure: expected }: ComparedVectors,
  { structure: found }: ComparedVectors,
): void {
  const [ours, theirs] = [pairsOf(found), pairsOf(expected)];
  let common = 0;
  for (const pair of ours) if (theirs.has(pair)) common += 1;
  const different = (ours.size + theirs.size - 2 * common) / theirs.size;
  const pairs = `near-duplicate pairs that differ, ${name}, of ${theirs.size}`;
  report.figure(pairs, different, '', `<=${MOST_DIFFERENT}`, different <= MOST_DIFFERENT);
  const best = (of: SimilarityStructure): number =>
    Math.max(...of.clusters.map((level) => pairAgreement(level, known.group).f1));
  const least = Math.min(...found.clusters.map((level, at) => pairAgreement(level, expected.clusters[at]!).f1));
  report.note(
    `F1 of the best level against the known groups: ${best(expected).toFixed(4)} here, ${best(found).toFixed(4)}`,
  );
  const clusters = `agreement of the clusters of the worst level, ${name}`;
  report.figure(clusters, least, '', `>=${LEAST_AGREEMENT}`, least >= LEAST_AGREEMENT);
}
