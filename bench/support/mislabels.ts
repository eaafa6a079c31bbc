import { LabelListsBuilder } from '../../src/common/engine/similarity/labels/label-lists';
import { labelIssuesOfVectors } from '../../test/support/structures';
import type { Report } from '../bench';
import { askCleanlab } from './cleanlab';
import type { LabelledSet } from './labelled-sets';

const THREADS = 2;
export const THRESHOLD = 0.5;
const PYTHON = process.env['CLEANLAB_PYTHON'];
/** The judgement of labels does not depend on the ladder. */
const LADDER = [0.9, 0.8, 0.7, 0.6, 0.5] as const;

interface Agreement {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

export function noteIfNotCompared(report: Report): void {
  if (PYTHON === undefined)
    report.note(
      'Not compared with cleanlab: set CLEANLAB_PYTHON to the path of a Python with the packages cleanlab and scikit-learn.',
    );
}

/** Judges the labels of a set, and compares the result with that of cleanlab. Returns F1. */
export async function reportMislabels(report: Report, set: LabelledSet): Promise<number> {
  const { found, ms } = await findMislabels(set);
  const ours = agreement(set, found);
  const isSingle = set.labels.every(({ length }) => length === 1);
  report.note(`${set.name}: ${set.count} items, judged in ${(ms / 1000).toFixed(1)} s`);
  if (PYTHON === undefined || !isSingle) {
    report.table([row('here', ours)]);
    report.figure(`F1 at ${THRESHOLD}, ${set.name}`, ours.f1, '', 'not compared', true);
    return ours.f1;
  }
  const { version, found: theirs } = askCleanlab(PYTHON, set);
  const peers = Object.entries(theirs).map(([name, items]) => ({ name, ...agreement(set, items) }));
  report.table([row('here', ours), ...peers.map((peer) => row(`cleanlab ${version}, ${peer.name}`, peer))]);
  const best = Math.max(...peers.map(({ f1 }) => f1));
  report.figure(`F1 at ${THRESHOLD}, ${set.name}`, ours.f1, '', `>=${best.toFixed(4)}`, ours.f1 >= best);
  return ours.f1;
}

async function findMislabels(set: LabelledSet): Promise<{ found: number[]; ms: number }> {
  const { count, dimension, vectors } = set;
  const builder = new LabelListsBuilder(count);
  for (const labels of set.labels) builder.add(labels);
  const contentGroup = Int32Array.from({ length: count }, (_, item) => item);
  const started = performance.now();
  const { mislabel } = await labelIssuesOfVectors({
    ...{ count, dimension, vectors, contentGroup, ladder: LADDER, threads: THREADS },
    labels: builder.build().lists,
  });
  const found = [...mislabel.keys()].filter((item) => mislabel[item]! >= THRESHOLD);
  return { found, ms: performance.now() - started };
}

function agreement({ isSwapped }: LabelledSet, found: readonly number[]): Agreement {
  const right = found.filter((item) => isSwapped[item]).length;
  const precision = right / Math.max(1, found.length);
  const recall = right / isSwapped.filter(Boolean).length;
  return { precision, recall, f1: right === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}

const row = (name: string, { precision, recall, f1 }: Agreement): Record<string, string> => ({
  '': name,
  precision: precision.toFixed(3),
  recall: recall.toFixed(3),
  F1: f1.toFixed(3),
});
