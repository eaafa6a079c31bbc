/** Near-duplicate pairs, by item. */
export interface ItemPairs {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly cosine: Float32Array;
}

/** Fraction of the shorter video's frames that must be similar for the pairs of two videos to count. */
const ALIKE_PART = 0.5;

/**
 * Decides which pairs are informative. Pairs of frames of one video are not, because neighbouring frames are similar; nor are those of two
 * videos that share only an opening, a title or black frames. `videoOf` has the index of a frame's video, negative for items that are not
 * frames; `framesOf` the number of frames of each video.
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

/** The informative pairs, if all frames of all videos are items. */
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

/** Of two videos with equal length, the first one. */
const isShorter = (a: number, b: number, frames: ArrayLike<number>): boolean =>
  frames[a]! < frames[b]! || (frames[a] === frames[b] && a < b);
