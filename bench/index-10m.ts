import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { computeSimilarityStructure } from '../src/common/engine/similarity/compute-similarity-structure';
import { LEAST_SIMILARITY } from '../src/common/engine/similarity/near-duplicates';
import { pairAgreement } from '../src/model-tools/pair-agreement';
import { VectorFileWriter } from '../src/modules/tables/build/collected-groups';
import { GeneratedGroups } from '../test/support/generated-groups';
import type { Bench, Report } from './bench';
import { recallAmong } from './support/generated-recall';
import { reportRuns, totalSeconds, type IndexRun } from './support/index-runs';
import { writeIndexed } from './support/indexed-rows';

const FULL = Number(process.env.ROWS ?? 10_000_000);
const PART = FULL / 10;
const MEMBERS_A_GROUP = 50;
const DIMENSION = 512;
const THREADS = 2;
const LADDER = [0.95, 0.85, 0.75, 0.65, 0.55] as const;
/** The memory limit per vector: 10 GB for ten million vectors, a sixth of their size in memory. */
const BYTES_A_ROW = 1000;
const SAMPLE = 200;
const GIB_IN_KIB = 2 ** 20;

interface Indexed extends IndexRun<GeneratedGroups> {
  readonly peakGib: number;
}

async function index(count: number, report: Report): Promise<Indexed> {
  const known = new GeneratedGroups({ count, dimension: DIMENSION, groups: count / MEMBERS_A_GROUP });
  const parent = mkdtempSync(join(tmpdir(), 'index-10m-'));
  try {
    return await indexIn(parent, known, report);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

async function indexIn(parent: string, known: GeneratedGroups, report: Report): Promise<Indexed> {
  const { count, contentGroup } = known;
  const folder = join(parent, 'scratch');
  mkdirSync(folder);
  const vectorFile = await writtenVectors(join(folder, 'vectors'), known);
  const before = process.cpuUsage();
  const start = performance.now();
  const memory = { bytes: count * BYTES_A_ROW, folder };
  const compared = { count, dimension: DIMENSION, contentGroup, vectorFile, memory, ladder: LADDER, threads: THREADS };
  const structure = await computeSimilarityStructure(compared, { onProgress: progressOf(report, start) });
  const computed = performance.now();
  rmSync(folder, { recursive: true, force: true });
  const vector = (item: number): Float32Array => {
    const values = new Float32Array(DIMENSION);
    known.fill(item, values);
    return values;
  };
  const bytes = await writeIndexed(join(parent, 'table'), { count, dimension: DIMENSION, vectorOf: vector }, structure);
  const end = performance.now();
  const { user, system } = process.cpuUsage(before);
  report.note(`${count} x ${DIMENSION}: ${seconds(end - start)} s, table of ${(bytes / 2 ** 30).toFixed(2)} GiB`);
  return {
    known,
    structure,
    structureSeconds: (computed - start) / 1000,
    tableSeconds: (end - computed) / 1000,
    processorSeconds: (user + system) / 1e6,
    peakGib: process.resourceUsage().maxRSS / GIB_IN_KIB,
  };
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(0);

/** Prints the progress in steps of 10 %, with the current memory. */
function progressOf(report: Report, start: number): (part: number) => void {
  let noted = 0;
  return (part) => {
    if (part * 10 < noted + 1) return;
    noted = Math.floor(part * 10);
    const gib = process.memoryUsage().rss / 2 ** 30;
    report.note(`${noted * 10} % after ${seconds(performance.now() - start)} s, ${gib.toFixed(2)} GiB`);
  };
}

async function writtenVectors(path: string, known: GeneratedGroups): Promise<string> {
  const writer = await VectorFileWriter.create(path, DIMENSION);
  const vector = new Float32Array(DIMENSION);
  for (let item = 0; item < known.count; item++) {
    known.fill(item, vector);
    await writer.add(vector);
  }
  await writer.finish();
  return path;
}

function reportQuality(report: Report, { known, structure }: Indexed): void {
  const size = known.count.toLocaleString('en');
  const best = Math.max(...structure.clusters.map((level) => pairAgreement(level, known.group).f1));
  report.figure(`pairwise F1 of the best level against the known groups, ${size}`, best, '', '>=0.95', best >= 0.95);
  const recall = recallAmong(known, structure, LEAST_SIMILARITY, SAMPLE);
  const named = `share of the true ten nearest at ${LEAST_SIMILARITY} or above that are among the edges, ${size}`;
  report.figure(`${named} (${recall.asked} asked)`, recall.atTen, '', '>=0.95', recall.atTen >= 0.95);
  const nearest = `share of items whose nearest is the true nearest, ${size}`;
  report.figure(nearest, recall.nearest, '', '>=0.98', recall.nearest >= 0.98);
  const sizes = recall.missed.map((item) =>
    known.group.reduce((sum, group) => sum + Number(group === known.group[item]), 0),
  );
  report.note(
    `members of the groups in which the nearest was missed: ${sizes.sort((a, b) => a - b).join(', ') || 'none'}`,
  );
  let [copies, missed] = [0, 0];
  known.nearCopyOf.forEach((original, item) => {
    if (original < 0) return;
    copies += 1;
    if (structure.nearest[item]! < 0.98 || structure.nearest[original]! < 0.98) missed += 1;
  });
  const found = 1 - missed / copies;
  report.figure(`planted near copies found, ${size}`, found, '', '>=0.999', found >= 0.999);
}

export const bench: Bench = {
  name: 'index-10m',
  summary: '10,000,000 x 512 vectors in known groups within a sixth of the memory that they take: all of an index',
  async run(report) {
    const part = await index(PART, report);
    const full = await index(FULL, report);
    reportRuns(report, [part, full], ({ peakGib }) => ({ 'peak GiB': peakGib.toFixed(2) }));
    const share = FULL / 10_000_000;
    const minutes = totalSeconds(full) / 60;
    report.figure(`time for ${FULL}`, minutes, 'min', `<${60 * share}`, minutes < 60 * share);
    // Threads and their libraries take a quarter of a GiB, regardless of the number of vectors.
    const gib = share < 1 ? 12 * share + 0.25 : 12;
    report.figure('peak resident memory', full.peakGib, 'GiB', `<${gib}`, full.peakGib < gib);
    const growth = totalSeconds(full) / totalSeconds(part);
    report.figure(`growth from ${PART}`, growth, 'x', '<=14', growth <= 14);
    reportQuality(report, part);
    reportQuality(report, full);
  },
};
