import { DEFAULT_IMAGE_MODEL } from '../src/common/platform/config/runtime-settings.schema';
import { ModelRegistry } from '../src/common/engine/models/model-registry';
import { labelIssuesOfVectors } from '../test/support/structures';
import { LabelListsBuilder } from '../src/common/engine/similarity/labels/label-lists';
import type { Bench, Report } from './bench';
import { askCleanlab } from './support/cleanlab';
import { labelledDrawings } from './support/labelled-drawings';
import { MIXTURES, mixedSet, type LabelledSet } from './support/labelled-sets';

const THREADS = 2;
const THRESHOLD = 0.5;
const PYTHON = process.env['CLEANLAB_PYTHON'];
const PER_FAMILY = Number(process.env['PER_FAMILY'] ?? 200);
const DRAWING_SEED = 11;
/** The judgement of labels does not depend on the ladder. */
const LADDER = [0.9, 0.8, 0.7, 0.6, 0.5] as const;

interface Agreement {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

function agreement({ isSwapped }: LabelledSet, found: readonly number[]): Agreement {
  const right = found.filter((item) => isSwapped[item]).length;
  const precision = right / Math.max(1, found.length);
  const recall = right / isSwapped.filter(Boolean).length;
  return { precision, recall, f1: right === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
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

const row = (name: string, { precision, recall, f1 }: Agreement): Record<string, string> => ({
  '': name,
  precision: precision.toFixed(3),
  recall: recall.toFixed(3),
  F1: f1.toFixed(3),
});

async function reportSet(report: Report, set: LabelledSet): Promise<void> {
  const { found, ms } = await findMislabels(set);
  const ours = agreement(set, found);
  const isSingle = set.labels.every(({ length }) => length === 1);
  report.note(`${set.name}: ${set.count} items, judged in ${(ms / 1000).toFixed(1)} s`);
  if (PYTHON === undefined || !isSingle) {
    report.table([row('here', ours)]);
    report.figure(`F1 at ${THRESHOLD}, ${set.name}`, ours.f1, '', 'not compared', true);
    return;
  }
  const { version, found: theirs } = askCleanlab(PYTHON, set);
  const peers = Object.entries(theirs).map(([name, items]) => ({ name, ...agreement(set, items) }));
  report.table([row('here', ours), ...peers.map((peer) => row(`cleanlab ${version}, ${peer.name}`, peer))]);
  const best = Math.max(...peers.map(({ f1 }) => f1));
  report.figure(`F1 at ${THRESHOLD}, ${set.name}`, ours.f1, '', `>=${best.toFixed(4)}`, ours.f1 >= best);
}

export const bench: Bench = {
  name: 'label-judges',
  summary: 'labels exchanged in mixtures and drawings, found again, compared with cleanlab',
  async run(report) {
    if (PYTHON === undefined)
      report.note(
        'Not compared with cleanlab: set CLEANLAB_PYTHON to the path of a Python with the packages cleanlab and scikit-learn.',
      );
    for (const mixture of MIXTURES) await reportSet(report, mixedSet(mixture));
    const model = (await ModelRegistry.load(null)).get('IMAGE_ENCODING', DEFAULT_IMAGE_MODEL);
    for (const set of await labelledDrawings(model, PER_FAMILY, DRAWING_SEED)) await reportSet(report, set);
  },
};
