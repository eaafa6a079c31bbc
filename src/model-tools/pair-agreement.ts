/** How well one grouping agrees with another, over all pairs of items. */
export interface Agreement {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

export interface PairAgreement extends Agreement {
  /** The share of items that belong to the most frequent true group of their cluster. */
  readonly purity: number;
}

/** The same for pairs in which at least one item is selected. */
export function agreementOf(
  chosen: ArrayLike<number>,
  clusters: ArrayLike<number>,
  truth: ArrayLike<number>,
): Agreement {
  const pairsBy = (name: (item: number) => string): number => {
    const sizes = new Map<string, [others: number, chosen: number]>();
    for (let item = 0; item < chosen.length; item++) {
      const [others, ours] = sizes.get(name(item)) ?? [0, 0];
      sizes.set(name(item), chosen[item] === 1 ? [others, ours + 1] : [others + 1, ours]);
    }
    return [...sizes.values()].reduce((sum, [others, ours]) => sum + others * ours + pairs(ours), 0);
  };
  const together = pairsBy((item) => `${clusters[item]}/${truth[item]}`);
  const clustered = pairsBy((item) => `${clusters[item]}`);
  const related = pairsBy((item) => `${truth[item]}`);
  return { precision: together / clustered, recall: together / related, f1: (2 * together) / (clustered + related) };
}

export function pairAgreement(clusters: ArrayLike<number>, truth: ArrayLike<number>): PairAgreement {
  const counts = pairCounts(clusters, truth);
  return { ...agreementOfCounts(counts), purity: truth.length === 0 ? 1 : counts.majority / truth.length };
}

/** The numbers of pairs in the same cluster and the same true group, in the same cluster, and in the same true group. */
export interface PairCounts {
  readonly together: number;
  readonly clustered: number;
  readonly related: number;
}

export const agreementOfCounts = ({ together, clustered, related }: PairCounts): Agreement => ({
  precision: clustered === 0 ? 1 : together / clustered,
  recall: related === 0 ? 1 : together / related,
  f1: clustered + related === 0 ? 1 : (2 * together) / (clustered + related),
});

export function pairCounts(
  clusters: ArrayLike<number>,
  truth: ArrayLike<number>,
): PairCounts & { readonly majority: number } {
  const joint = new Map<number, Map<number, number>>();
  const truthSizes = new Map<number, number>();
  for (let item = 0; item < truth.length; item++) {
    const inside = joint.get(clusters[item]!) ?? new Map<number, number>();
    joint.set(clusters[item]!, inside);
    inside.set(truth[item]!, (inside.get(truth[item]!) ?? 0) + 1);
    truthSizes.set(truth[item]!, (truthSizes.get(truth[item]!) ?? 0) + 1);
  }
  let together = 0;
  let clustered = 0;
  let majority = 0;
  for (const inside of joint.values()) {
    const sizes = [...inside.values()];
    together += sizes.reduce((sum, size) => sum + pairs(size), 0);
    clustered += pairs(sizes.reduce((sum, size) => sum + size, 0));
    majority += Math.max(...sizes);
  }
  const related = [...truthSizes.values()].reduce((sum, size) => sum + pairs(size), 0);
  return { together, clustered, related, majority };
}

const pairs = (size: number): number => (size * (size - 1)) / 2;
