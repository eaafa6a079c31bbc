/** The measures of one way to describe pictures. */
export interface RetrievalQuality {
  /** For each kind of copy, the share whose original is the first of all originals, and among the first five. */
  readonly first: readonly number[];
  readonly amongFive: readonly number[];
  /** Searches the copies of each original among all pictures. */
  readonly copies: GroupQuality;
  /** Searches the family of each original among all originals. */
  readonly families: GroupQuality | undefined;
}

interface GroupQuality {
  /** Mean average precision. */
  readonly map: number;
  /** F1 of the pairs at the best similarity threshold, which is `cut`. */
  readonly f1: number;
  readonly cut: number;
}

export interface Questions {
  readonly pictures: number;
  /** The items of a group: a picture followed by its copies. */
  readonly group: number;
  readonly family: Int32Array | undefined;
  /** The similarities of one item to every item. */
  readonly similarities: (item: number) => Float32Array;
}

const FIRST_FEW = 5;

export function retrievalQuality({ pictures, group, family, similarities }: Questions): RetrievalQuality {
  const first = new Array<number>(group - 1).fill(0);
  const amongFive = new Array<number>(group - 1).fill(0);
  const [copies, families] = [new GroupTally(), new GroupTally()];
  for (let item = 0; item < pictures * group; item++) {
    const found = similarities(item);
    const own = Math.floor(item / group);
    const originals = Float32Array.from({ length: pictures }, (_, at) => found[at * group]!);
    const kind = (item % group) - 1;
    copies.addPairs(found, item, (other) => Math.floor(other / group) === own);
    if (kind >= 0) {
      first[kind]! += chanceAmong(1, originals, own);
      amongFive[kind]! += chanceAmong(FIRST_FEW, originals, own);
      continue;
    }
    copies.addQuestion(found, item, (other) => Math.floor(other / group) === own);
    if (family === undefined) continue;
    const isRelated = (other: number): boolean => family[other] === family[own];
    families.addPairs(originals, own, isRelated);
    families.addQuestion(originals, own, isRelated);
  }
  const shares = (sums: readonly number[]): number[] => sums.map((sum) => sum / pictures);
  return {
    first: shares(first),
    amongFive: shares(amongFive),
    copies: copies.quality(),
    families: family && families.quality(),
  };
}

/** The order of equal similarities is undefined, so this is the probability of being among the first `most`. */
function chanceAmong(most: number, similarities: Float32Array, wanted: number): number {
  const own = similarities[wanted]!;
  let better = 0;
  let equal = 0;
  for (const similarity of similarities) {
    if (similarity > own) better += 1;
    else if (similarity === own) equal += 1;
  }
  return Math.max(0, Math.min(1, (most - better) / equal));
}

class GroupTally {
  private readonly related: number[] = [];
  private readonly unrelated: number[] = [];
  private precision = 0;
  private questions = 0;

  /** Counts only later items, so that each pair counts once. */
  addPairs(similarities: Float32Array, item: number, isRelated: (other: number) => boolean): void {
    for (let other = item + 1; other < similarities.length; other++)
      (isRelated(other) ? this.related : this.unrelated).push(similarities[other]!);
  }

  addQuestion(similarities: Float32Array, item: number, isRelated: (other: number) => boolean): void {
    const precision = averagePrecision(similarities, item, isRelated);
    if (precision === undefined) return;
    this.precision += precision;
    this.questions += 1;
  }

  quality(): GroupQuality {
    const [related, unrelated] = [falling(this.related), falling(this.unrelated)];
    let best = { f1: 0, cut: 1 };
    let wrong = 0;
    for (const [at, cut] of related.entries()) {
      if (related[at + 1] === cut) continue;
      while (wrong < unrelated.length && unrelated[wrong]! >= cut) wrong += 1;
      const f1 = (2 * (at + 1)) / (at + 1 + wrong + related.length);
      if (f1 > best.f1) best = { f1, cut };
    }
    return { map: this.precision / this.questions, ...best };
  }
}

const falling = (values: readonly number[]): Float32Array => Float32Array.from(values).sort().reverse();

/** Equal similarities share a rank. Undefined if there is nothing to find. */
function averagePrecision(
  similarities: Float32Array,
  item: number,
  isRelated: (other: number) => boolean,
): number | undefined {
  const others = [...similarities.keys()]
    .filter((other) => other !== item)
    .sort((a, b) => similarities[b]! - similarities[a]!);
  let [found, counted, precision] = [0, 0, 0];
  for (const [at, other] of others.entries()) {
    if (isRelated(other)) found += 1;
    if (at + 1 < others.length && similarities[others[at + 1]!] === similarities[other]) continue;
    precision += ((found - counted) * found) / (at + 1);
    counted = found;
  }
  return found === 0 ? undefined : precision / found;
}
