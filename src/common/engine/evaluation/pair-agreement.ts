import { agreementOf, cohenKappa, type PairCount } from './agreement';
import { codeOf, NONE, type OutcomeColumns } from './outcomes';

/** Cohen's and Krippendorff's; null where they are undefined. */
export interface PairAgreement {
  readonly kappa: number | null;
  readonly alpha: number | null;
}

const [IGNORED, TP, WRONG_CLASS] = [codeOf('ignored'), codeOf('tp'), codeOf('wrong_class')];
const NOTHING = '';

/** Of two sources that say something of the same things. What only one of them has, the other says nothing of. `counts` tells of predictions. */
export function agreementAt(
  columns: OutcomeColumns,
  counts: (prediction: number) => boolean,
  { countsNothing }: { readonly countsNothing: boolean },
): PairAgreement {
  const pairs = pairsAt(columns, counts).filter(
    ({ first, second }) => countsNothing || (first !== NOTHING && second !== NOTHING),
  );
  return agreementOfPairs(pairs);
}

export function agreementOfPairs(pairs: readonly PairCount[]): PairAgreement {
  const patterns = pairs.map(({ first, second, items }) => ({ values: [first, second], items }));
  return { kappa: cohenKappa(pairs), alpha: agreementOf(patterns).krippendorffAlpha };
}

function pairsAt(columns: OutcomeColumns, counts: (prediction: number) => boolean): PairCount[] {
  const { outcomes, partners, truthLabels, predictionLabels, truthCounts, truthPartners, truthClaims } = columns;
  const pairs = new Pairs();
  for (const [prediction, outcome] of outcomes.entries()) {
    if (outcome === IGNORED || !counts(prediction)) continue;
    const isPair = outcome === TP || outcome === WRONG_CLASS;
    pairs.add(isPair ? truthLabels[partners[prediction]!]! : NONE, predictionLabels[prediction]!);
  }
  const stands = (prediction: number): boolean => prediction !== NONE && counts(prediction);
  for (const [truth, doesCount] of truthCounts.entries())
    if (doesCount === 1 && !stands(truthPartners[truth]!) && !stands(truthClaims[truth]!))
      pairs.add(truthLabels[truth]!, NONE);
  return pairs.list();
}

class Pairs {
  private readonly counts = new Map<number, Map<number, number>>();

  add(first: number, second: number): void {
    const row = this.counts.get(first) ?? new Map<number, number>();
    this.counts.set(first, row);
    row.set(second, (row.get(second) ?? 0) + 1);
  }

  list(): PairCount[] {
    const nameOf = (label: number): string => (label === NONE ? NOTHING : String(label));
    return [...this.counts].flatMap(([first, row]) =>
      [...row].map(([second, items]) => ({ first: nameOf(first), second: nameOf(second), items })),
    );
  }
}
