/** The answers to so many items, two or more each, as texts. */
export interface AnswerPattern {
  readonly values: readonly string[];
  readonly items: number;
}

/** How many items the first person answered with one value, and the second with the other. */
export interface PairCount {
  readonly first: string;
  readonly second: string;
  readonly items: number;
}

/** Null where there are no answers to compare, or all are the same. */
export interface AgreementFigures {
  /** The share of pairs of answers that are equal, on average over the items. */
  readonly observed: number | null;
  readonly krippendorffAlpha: number | null;
}

/** For answers that are equal or not, and items with any number of answers. */
export function agreementOf(patterns: readonly AnswerPattern[]): AgreementFigures {
  const totals = new Map<string, number>();
  let [items, agreeing, disagreement, answers] = [0, 0, 0, 0];
  for (const { values, items: times } of patterns) {
    const counts = countsOf(values);
    const [n, pairs] = [values.length, values.length * (values.length - 1)];
    const equal = [...counts.values()].reduce((sum, count) => sum + count * (count - 1), 0);
    items += times;
    agreeing += (times * equal) / pairs;
    disagreement += (times * (pairs - equal)) / (n - 1);
    answers += times * n;
    for (const [value, count] of counts) totals.set(value, (totals.get(value) ?? 0) + times * count);
  }
  if (items === 0) return { observed: null, krippendorffAlpha: null };
  const equalByChance = [...totals.values()].reduce((sum, count) => sum + count * (count - 1), 0);
  const expected = (answers * (answers - 1) - equalByChance) / (answers - 1);
  return { observed: agreeing / items, krippendorffAlpha: expected === 0 ? null : 1 - disagreement / expected };
}

/** Of two people. Null where they answered no item together, or always the same. */
export function cohenKappa(pairs: readonly PairCount[]): number | null {
  const [first, second] = [new Map<string, number>(), new Map<string, number>()];
  let [items, equal] = [0, 0];
  for (const pair of pairs) {
    items += pair.items;
    if (pair.first === pair.second) equal += pair.items;
    first.set(pair.first, (first.get(pair.first) ?? 0) + pair.items);
    second.set(pair.second, (second.get(pair.second) ?? 0) + pair.items);
  }
  const byChance = [...first].reduce((sum, [value, count]) => sum + count * (second.get(value) ?? 0), 0);
  const unequal = items * items - byChance;
  return items === 0 || unequal === 0 ? null : 1 - ((items - equal) * items) / unequal;
}

function countsOf(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
