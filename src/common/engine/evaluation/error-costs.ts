import { meanPrecision } from './average-precision';
import { countedIn, type Collected, type Unit } from './collected';
import { byFallingConfidence } from './confidence-order';
import { MISTAKES, type Mistake } from './counted-outcomes';
import { codeOf, NONE, type OutcomeColumns } from './outcomes';
import { meanOf } from './rates';

const [IGNORED, FOUND, POOR_BOX] = [codeOf('ignored'), codeOf('tp'), codeOf('poor_box')];

/** An average precision as it is, and as it would be without the mistakes of a kind. */
export type Precisions = Readonly<Record<Mistake | 'asItIs', number | undefined>>;

/**
 * As TIDE: a prediction with a wrong label or a poor box finds its annotation, if no other one does and no such prediction with a higher confidence; otherwise it is
 * left out, as are those with other mistakes. Undefined if there is neither truth nor a prediction.
 */
export function precisionsOf({ columns }: Collected, unit: Unit): Precisions {
  const { outcomes, confidences } = columns;
  const truth = countedIn(columns, unit);
  const counting = unit.predictions.filter((place) => outcomes[place] !== IGNORED);
  const { claims, boxes, missed } = repairsOf(columns, unit.truth, counting);
  const precision = (
    places: Int32Array,
    left: number,
    repaired: readonly number[],
    wanted: number,
  ): number | undefined => {
    const found = new Set(repaired);
    const ranks: number[] = [];
    let rank = 0;
    for (const place of places) {
      const isFound = outcomes[place] === FOUND || found.has(place);
      if (!isFound && outcomes[place] === left) continue;
      rank += 1;
      if (isFound) ranks.push(rank);
    }
    if (rank === 0 && wanted === 0) return undefined;
    return wanted === 0 ? 0 : meanPrecision(ranks, wanted);
  };
  const without = (mistake: Mistake): number | undefined => {
    if (mistake === 'missed') return precision(counting, NONE, [], truth - missed);
    const code = codeOf(mistake);
    if (mistake === 'poor_box') return precision(counting, code, boxes, truth);
    if (claims.length === 0 || mistake !== 'wrong_class') return precision(counting, code, [], truth);
    // They are predictions of other labels.
    const places = new Int32Array(counting.length + claims.length);
    places.set(counting);
    places.set(claims, counting.length);
    return precision(byFallingConfidence(places.sort(), confidences), code, claims, truth);
  };
  return {
    asItIs: precision(counting, NONE, [], truth),
    ...(Object.fromEntries(MISTAKES.map((mistake) => [mistake, without(mistake)])) as Record<Mistake, number>),
  };
}

interface Repairs {
  /** The predictions that find something once they have another label, or another box. */
  readonly claims: readonly number[];
  readonly boxes: readonly number[];
  /** How many annotations nothing finds even then. */
  readonly missed: number;
}

function repairsOf(
  { outcomes, partners, truthPartners, truthClaims, truthCounts, confidences }: OutcomeColumns,
  truth: Int32Array,
  byConfidence: Int32Array,
): Repairs {
  const nearest = new Map<number, number>();
  for (const place of byConfidence) {
    const partner = partners[place]!;
    if (outcomes[place] === POOR_BOX && truthPartners[partner] === NONE && !nearest.has(partner))
      nearest.set(partner, place);
  }
  const [claims, boxes]: [number[], number[]] = [[], []];
  let missed = 0;
  for (const place of truth) {
    if (truthCounts[place] === 0 || truthPartners[place] !== NONE) continue;
    const [claim, box] = [truthClaims[place]!, nearest.get(place) ?? NONE];
    if (claim === NONE && box === NONE) missed += 1;
    else if (box === NONE || (claim !== NONE && confidences[claim]! > confidences[box]!)) claims.push(claim);
    else boxes.push(box);
  }
  return { claims, boxes, missed };
}

/** What each kind costs in the mean over labels that have truth. */
export function costsOf(ofUnits: readonly Precisions[]): Record<Mistake, number> {
  const mean = (name: Mistake | 'asItIs'): number => meanOf(ofUnits.map((precisions) => precisions[name] ?? null)) ?? 0;
  const before = mean('asItIs');
  return Object.fromEntries(MISTAKES.map((mistake) => [mistake, Math.max(0, mean(mistake) - before)])) as Record<
    Mistake,
    number
  >;
}
