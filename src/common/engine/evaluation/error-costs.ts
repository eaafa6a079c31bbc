import { meanPrecision } from './average-precision';
import { countedIn, type Collected, type Unit } from './collected';
import { byFallingConfidence } from './confidence-order';
import { MISTAKES, type Mistake } from './evaluation-result';
import { codeOf, NONE } from './outcomes';

const [IGNORED, FOUND, POOR_BOX] = [codeOf('ignored'), codeOf('tp'), codeOf('poor_box')];

/** An average precision as it is, and as it would be without the mistakes of a kind. */
export type Precisions = Readonly<Record<Mistake | 'asItIs', number | undefined>>;

/**
 * As TIDE: a prediction with a wrong label or a poor box finds its annotation, if no other one does and no such prediction with a higher confidence; otherwise it is
 * left out, as are those with other mistakes. Undefined if there is neither truth nor a prediction.
 */
export function precisionsOf({ columns }: Collected, unit: Unit): Precisions {
  const { outcomes, partners, truthPartners, truthClaims, truthCounts, confidences } = columns;
  const truth = countedIn(columns, unit);
  const counting = unit.predictions.filter((place) => outcomes[place] !== IGNORED);
  const nearest = new Map<number, number>();
  for (const place of counting) {
    const partner = partners[place]!;
    if (outcomes[place] === POOR_BOX && truthPartners[partner] === NONE && !nearest.has(partner))
      nearest.set(partner, place);
  }
  const [claims, boxes]: [number[], number[]] = [[], []];
  let missed = 0;
  for (const place of unit.truth) {
    if (truthCounts[place] === 0 || truthPartners[place] !== NONE) continue;
    const [claim, box] = [truthClaims[place]!, nearest.get(place) ?? NONE];
    if (claim === NONE && box === NONE) missed += 1;
    else if (box === NONE || (claim !== NONE && confidences[claim]! > confidences[box]!)) claims.push(claim);
    else boxes.push(box);
  }
  const precision = (places: Int32Array, repaired: readonly number[], wanted: number): number | undefined => {
    if (places.length === 0 && wanted === 0) return undefined;
    const found = new Set(repaired);
    const ranks: number[] = [];
    for (let at = 0; at < places.length; at++)
      if (outcomes[places[at]!] === FOUND || found.has(places[at]!)) ranks.push(at + 1);
    return wanted === 0 ? 0 : meanPrecision(ranks, wanted);
  };
  const without = (mistake: Mistake): number | undefined => {
    if (mistake === 'missed') return precision(counting, [], truth - missed);
    const code = codeOf(mistake);
    const repaired = mistake === 'wrong_class' ? claims : mistake === 'poor_box' ? boxes : [];
    const right = counting.filter((place) => outcomes[place] !== code);
    if (repaired.length === 0) return precision(right, repaired, truth);
    const places = Int32Array.from([...right, ...repaired]).sort();
    return precision(byFallingConfidence(places, confidences), repaired, truth);
  };
  return {
    asItIs: precision(counting, [], truth),
    ...(Object.fromEntries(MISTAKES.map((mistake) => [mistake, without(mistake)])) as Record<Mistake, number>),
  };
}

/** What each kind costs in the mean over labels that have truth. */
export function costsOf(ofUnits: readonly Precisions[]): Record<Mistake, number> {
  const meanOf = (name: Mistake | 'asItIs'): number => {
    const values = ofUnits.flatMap((precisions) => precisions[name] ?? []);
    return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const before = meanOf('asItIs');
  return Object.fromEntries(MISTAKES.map((mistake) => [mistake, Math.max(0, meanOf(mistake) - before)])) as Record<
    Mistake,
    number
  >;
}
