import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LEAST_SIMILARITY } from '../src/common/engine/similarity/near-duplicates';
import type { Bench, Report } from './bench';
import { knownGroups, type KnownGroups } from '../test/support/known-groups';
import { structureOfVectors } from '../test/support/structures';
import { pairAgreement } from '../src/model-tools/pair-agreement';
import { reportRuns, totalSeconds, type IndexRun } from './support/index-runs';
import { writeIndexed } from './support/indexed-rows';
import { recallOf } from './support/recall';

const FULL = 1_000_000;
const QUARTER = 250_000;
const MEMBERS_A_GROUP = 50;
const DIMENSION = 512;
const THREADS = 2;
const LADDER = [0.95, 0.85, 0.75, 0.65, 0.55] as const;
const SAMPLE = 200;

type Indexed = IndexRun<KnownGroups>;

async function index(count: number, report: Report): Promise<Indexed> {
  const known = knownGroups({ count, dimension: DIMENSION, groups: count / MEMBERS_A_GROUP });
  const before = process.cpuUsage();
  const start = performance.now();
  const structure = await structureOfVectors({ ...known, ladder: LADDER, threads: THREADS });
  const computed = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'index-1m-'));
  const vectorOf = (item: number): Float32Array => known.vectors.subarray(item * DIMENSION, (item + 1) * DIMENSION);
  const bytes = await writeIndexed(folder, { count, dimension: DIMENSION, vectorOf }, structure).finally(() =>
    rmSync(folder, { recursive: true, force: true }),
  );
  const end = performance.now();
  const { user, system } = process.cpuUsage(before);
  report.note(
    `${count} x ${DIMENSION}: ${((end - start) / 1000).toFixed(0)} s, table of ${(bytes / 2 ** 30).toFixed(2)} GiB`,
  );
  return {
    known,
    structure,
    structureSeconds: (computed - start) / 1000,
    tableSeconds: (end - computed) / 1000,
    processorSeconds: (user + system) / 1e6,
  };
}

function reportQuality(report: Report, { known, structure }: Indexed): void {
  const levels = structure.clusters.map((level) => pairAgreement(level, known.group));
  report.table(
    levels.map(({ f1, precision, recall, purity }, level) => ({
      level,
      cut: LADDER[level]!,
      F1: f1.toFixed(4),
      precision: precision.toFixed(4),
      recall: recall.toFixed(4),
      purity: purity.toFixed(4),
    })),
  );
  const best = Math.max(...levels.map(({ f1 }) => f1));
  report.figure('pairwise F1 of the best level against the known groups', best, '', '>=0.95', best >= 0.95);
  const recall = recallOf(known, structure, LEAST_SIMILARITY, SAMPLE);
  report.figure(
    `share of the true ten nearest at ${LEAST_SIMILARITY} or above that are among the edges (${recall.asked} asked)`,
    recall.atTen,
    '',
    '>=0.95',
    recall.atTen >= 0.95,
  );
  report.figure(
    'share of items whose nearest is the true nearest',
    recall.nearest,
    '',
    '>=0.98',
    recall.nearest >= 0.98,
  );
  const near = known.planted.filter(
    ([original, copy]) => structure.nearest[copy]! < 0.98 || structure.nearest[original]! < 0.98,
  );
  const found = 1 - near.length / known.planted.length;
  report.figure('planted near copies found', found, '', '>=0.999', found >= 0.999);
}

export const bench: Bench = {
  name: 'index-1m',
  summary: '1,000,000 x 512 vectors in known groups: neighbours, duplicates, uniqueness, clusters, table written',
  async run(report) {
    const quarter = await index(QUARTER, report);
    const full = await index(FULL, report);
    const memory = process.resourceUsage().maxRSS / 2 ** 20;
    reportRuns(report, [quarter, full]);
    const minutes = totalSeconds(full) / 60;
    report.figure('time for a million', minutes, 'min', '<12', minutes < 12);
    report.figure('peak resident memory', memory, 'GiB', '<10', memory < 10);
    const growth = totalSeconds(full) / totalSeconds(quarter);
    report.figure('growth from 250k to 1M', growth, 'x', '<=5', growth <= 5);
    reportQuality(report, full);
  },
};
