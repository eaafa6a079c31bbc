/** Pairs of near duplicates, by item. */
export interface ItemPairs {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly cosine: Float32Array;
}

/** Of two videos so large a part of the shorter one's frames must be alike for any of them to count. */
const ALIKE_PART = 0.5;

/**
 * Which pairs are informative. Pairs of frames of one video are not, for neighbouring frames look alike; nor are those of two
 * videos that share no more than an opening, a title or black frames. `videoOf` holds the number of a frame's video, negative for what is no
 * frame; `framesOf` how many frames each video has.
 */
export function informativeRule(
  { first, second }: Pick<ItemPairs, 'first' | 'second'>,
  videoOf: Int32Array,
  framesOf: ArrayLike<number>,
): (pair: number) => boolean {
  const alike = new Map<number, Set<number>>();
  const key = (a: number, b: number): number => Math.min(a, b) * framesOf.length + Math.max(a, b);
  for (let i = 0; i < first.length; i++) {
    const [a, b] = [videoOf[first[i]!]!, videoOf[second[i]!]!];
    if (a < 0 || b < 0 || a === b) continue;
    const ofShorter = isShorter(a, b, framesOf) ? first[i]! : second[i]!;
    const known = alike.get(key(a, b));
    if (known === undefined) alike.set(key(a, b), new Set([ofShorter]));
    else known.add(ofShorter);
  }
  return (pair) => {
    const [a, b] = [videoOf[first[pair]!]!, videoOf[second[pair]!]!];
    if (a < 0 || b < 0) return true;
    return a !== b && alike.get(key(a, b))!.size >= ALIKE_PART * Math.min(framesOf[a]!, framesOf[b]!);
  };
}

/** The informative pairs, where all frames of all videos are items. */
export function informativePairs(pairs: ItemPairs, videoOf: Int32Array): ItemPairs {
  const framesOf = frameCounts(videoOf);
  return framesOf.length === 0 ? pairs : only(pairs, informativeRule(pairs, videoOf, framesOf));
}

export function only({ first, second, cosine }: ItemPairs, keeps: (pair: number) => boolean): ItemPairs {
  const kept = new Int32Array(first.length);
  let count = 0;
  for (let i = 0; i < first.length; i++) if (keeps(i)) kept[count++] = i;
  const places = kept.subarray(0, count);
  return {
    first: places.map((i) => first[i]!),
    second: places.map((i) => second[i]!),
    cosine: Float32Array.from(places, (i) => cosine[i]!),
  };
}

export function frameCounts(videoOf: Int32Array): Int32Array {
  let videos = 0;
  for (const video of videoOf) if (video >= videos) videos = video + 1;
  const counts = new Int32Array(videos);
  for (const video of videoOf) if (video >= 0) counts[video]!++;
  return counts;
}

/** Of two that are as long, the one that came first. */
const isShorter = (a: number, b: number, frames: ArrayLike<number>): boolean =>
  frames[a]! < frames[b]! || (frames[a] === frames[b] && a < b);
