/** Pairs of near duplicates, by item. */
export interface ItemPairs {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly cosine: Float32Array;
}

/** Of two videos so large a part of the shorter one's frames must be alike for any of them to count. */
const ALIKE_PART = 0.5;

/**
 * Without the pairs of frames that say nothing: those within one video, where neighbours look alike, and those of two videos
 * that share no more than an opening, a title or black frames. `videoOf` holds the number of a frame's video, negative for
 * what is no frame.
 */
export function telling(pairs: ItemPairs, videoOf: Int32Array): ItemPairs {
  const frames = frameCounts(videoOf);
  if (frames.length === 0) return pairs;
  const alike = new Map<number, Set<number>>();
  const key = (a: number, b: number): number => Math.min(a, b) * frames.length + Math.max(a, b);
  const { first, second, cosine } = pairs;
  for (let i = 0; i < first.length; i++) {
    const [a, b] = [videoOf[first[i]!]!, videoOf[second[i]!]!];
    if (a < 0 || b < 0 || a === b) continue;
    const ofShorter = isShorter(a, b, frames) ? first[i]! : second[i]!;
    const known = alike.get(key(a, b));
    if (known === undefined) alike.set(key(a, b), new Set([ofShorter]));
    else known.add(ofShorter);
  }
  const kept: number[] = [];
  for (let i = 0; i < first.length; i++) {
    const [a, b] = [videoOf[first[i]!]!, videoOf[second[i]!]!];
    const shortest = Math.min(frames[a] ?? 0, frames[b] ?? 0);
    if (a < 0 || b < 0 || (a !== b && alike.get(key(a, b))!.size >= ALIKE_PART * shortest)) kept.push(i);
  }
  const pick = <Column extends Int32Array | Float32Array>(column: Column, empty: Column): Column => {
    kept.forEach((at, i) => (empty[i] = column[at]!));
    return empty;
  };
  return {
    first: pick(first, new Int32Array(kept.length)),
    second: pick(second, new Int32Array(kept.length)),
    cosine: pick(cosine, new Float32Array(kept.length)),
  };
}

function frameCounts(videoOf: Int32Array): Int32Array {
  let videos = 0;
  for (const video of videoOf) if (video >= videos) videos = video + 1;
  const counts = new Int32Array(videos);
  for (const video of videoOf) if (video >= 0) counts[video]!++;
  return counts;
}

/** Of two that are as long, the one that came first. */
const isShorter = (a: number, b: number, frames: Int32Array): boolean =>
  frames[a]! < frames[b]! || (frames[a] === frames[b] && a < b);
