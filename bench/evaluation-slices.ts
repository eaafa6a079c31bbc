import { findSlices } from '../src/common/engine/evaluation/slices/find-slices';
import { sliceUnits } from '../src/common/engine/evaluation/slices/slice-units';
import { plantedSlice } from '../test/support/planted-slice';
import type { Bench, Report } from './bench';

const SEEDS = Number(process.env['SEEDS'] ?? 100);
const PICTURES = 5000;
const MANY_PICTURES = Number(process.env['PICTURES'] ?? 145_000);
const BOOTSTRAP_SEED = 1;

interface Study {
  /** The place of the planted slice among those found, from 0; -1 if it is not. */
  readonly place: number;
  readonly found: number;
  readonly seconds: number;
}

async function study(pictures: number, seed: number, isPlanted: boolean): Promise<Study> {
  const { outcomes, conditions, planted } = plantedSlice(pictures, seed, isPlanted);
  const started = performance.now();
  const units = await sliceUnits(outcomes, new Float64Array(outcomes.labels.length));
  const found = findSlices(units, conditions, BOOTSTRAP_SEED).slices.filter(({ isFound }) => isFound);
  const seconds = (performance.now() - started) / 1000;
  const place = found.findIndex((slice) => slice.conditions.join() === planted.join());
  return { place, found: found.length, seconds };
}

async function measure(report: Report): Promise<void> {
  const late: number[] = [];
  const wrong: number[] = [];
  let falseOnes = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const { place } = await study(PICTURES, seed, true);
    if (place < 0 || place > 2) late.push(seed);
    const { found } = await study(PICTURES, seed, false);
    falseOnes += found;
    if (found > 0) wrong.push(seed);
  }
  report.note(`seeds 0 to ${SEEDS - 1}, not among the first three: ${late.join(', ') || 'none'}`);
  report.note(`seeds with slices that were not planted: ${wrong.join(', ') || 'none'}`);
  const share = (SEEDS - late.length) / SEEDS;
  report.figure('seeds whose planted slice is among the first three', 100 * share, '%', '>=95', share >= 0.95);
  const per100 = (100 * falseOnes) / SEEDS;
  report.figure('slices found in 100 seeds with none planted', per100, '', '<=5', per100 <= 5);
  const { seconds } = await study(MANY_PICTURES, 0, true);
  report.figure(`slices of ${MANY_PICTURES} pictures`, seconds, 's', '<10', seconds < 10);
}

export const bench: Bench = {
  name: 'evaluation-slices',
  summary: 'a planted slice where a model fails, found again in 100 seeds (`SEEDS=20` for fewer)',
  run: measure,
};
