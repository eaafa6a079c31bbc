import type { EvaluationDetails } from '../evaluation.js';
import type { Run } from './command.js';
import { rounded, type Verdict } from './fail-conditions.js';
import { plain } from './output.js';

/** The others are in `--json`. */
const MOST_LABELS = 20;

export function printEvaluation(
  run: Run,
  found: EvaluationDetails,
  verdicts: readonly Verdict[],
  warnings: readonly string[],
): void {
  const conditions = verdicts.map(({ condition, holds, value, found: sentence }) => ({
    condition: condition.text,
    holds,
    value: value ?? null,
    found: sentence,
  }));
  run.answer({ evaluation: found, conditions, warnings }, () => {
    const { intervals } = found;
    const between = (name: string): string => intervals[name]?.map(rounded).join(' – ') ?? '';
    const hasIntervals = Object.keys(intervals).length > 0;
    run.table(
      ['FIGURE', 'VALUE', ...(hasIntervals ? ['95 %'] : [])],
      Object.entries(found.metrics ?? {}).map(([name, value]) => [
        name,
        value === null ? '' : rounded(value),
        ...(hasIntervals ? [between(name)] : []),
      ]),
    );
    run.print('');
    printLabels(run, found);
    if (conditions.length > 0) {
      run.print('');
      run.table(
        ['CONDITION', 'RESULT', 'FOUND'],
        conditions.map((each) => [each.condition, each.holds ? 'holds: failed' : 'passed', each.found]),
      );
    }
    for (const warning of warnings) run.print(plain(warning));
  });
}

/** Those with the lowest F1 first. */
function printLabels(run: Run, { per_class: labels }: EvaluationDetails): void {
  const names = ['AP', 'AP50', 'precision', 'recall', 'f1'].filter((name) => labels.some((own) => name in own));
  const f1Of = (own: (typeof labels)[number]): number => (typeof own['f1'] === 'number' ? own['f1'] : Infinity);
  const sorted = [...labels].sort((a, b) => (f1Of(a) < f1Of(b) ? -1 : 1));
  run.table(
    ['LABEL', 'TRUTH', 'PREDICTIONS', ...names.map((name) => name.toUpperCase())],
    sorted.slice(0, MOST_LABELS).map((own) => [
      own.label,
      own.n_truth,
      own.n_predictions,
      ...names.map((name) => {
        const value = own[name];
        return typeof value === 'number' ? rounded(value) : '';
      }),
    ]),
  );
  if (labels.length > MOST_LABELS) run.print(`${labels.length - MOST_LABELS} labels with a higher F1 are in --json.`);
}
