import { identifier, inList } from '../../../common/engine/media-table/literal';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { kindCode } from '../../../common/engine/media-table/media-schema';
import type { Pairs, Placement } from '../../../common/engine/similarity/placing/placement';
import { frameCounts, only, informativeRule } from '../build/domain/frame-pairs';

const PARENTS_AT_ONCE = 500;

/** Drops pairs of frames that are not informative; `videoOf` has the index of each new frame's video. */
export async function withInformativePairs(
  placement: Placement,
  videoOf: Int32Array,
  table: MediaTable,
): Promise<Placement> {
  const newFrames = frameCounts(videoOf);
  if (newFrames.length === 0) return placement;
  const { among, toKnown } = placement;
  // Only known rows that are near a new frame need an index; all others share one that belongs to no frame.
  const seen = [...new Set(toKnown.second.filter((_, i) => videoOf[toKnown.first[i]!]! >= 0))];
  const placeOf = new Map(seen.map((ordinal, i) => [ordinal, videoOf.length + i]));
  const known = await videosOfRows(table, seen);
  const videos = new Int32Array(videoOf.length + seen.length + 1).fill(-1);
  videos.set(videoOf);
  known.videoOf.forEach((video, i) => video >= 0 && (videos[videoOf.length + i] = newFrames.length + video));
  const first = joined(among.first, toKnown.first);
  const second = joined(
    among.second,
    toKnown.second.map((ordinal) => placeOf.get(ordinal) ?? videos.length - 1),
  );
  const isInformative = informativeRule({ first, second }, videos, joined(newFrames, known.framesOf));
  const kept = (pairs: Pairs, before: number): Pairs => only(pairs, (pair) => isInformative(before + pair));
  return { ...placement, among: kept(among, 0), toKnown: kept(toKnown, among.first.length) };
}

/** The index of each row's video, negative for rows that are not frames, and the number of frames of those videos. */
async function videosOfRows(
  table: MediaTable,
  ordinals: readonly number[],
): Promise<{ videoOf: Int32Array; framesOf: Int32Array }> {
  const rows = await table.takeRows([...ordinals], ['kind', 'parentId']);
  const numbers = new Map<string, number>();
  const videoOf = Int32Array.from(rows, ({ kind, parentId }) => {
    if (kind !== 'FRAME' || parentId === null) return -1;
    if (!numbers.has(parentId)) numbers.set(parentId, numbers.size);
    return numbers.get(parentId)!;
  });
  const framesOf = new Int32Array(numbers.size);
  const parents = [...numbers.keys()];
  for (let at = 0; at < parents.length; at += PARENTS_AT_ONCE) {
    const some = inList(parents.slice(at, at + PARENTS_AT_ONCE));
    const filter = `${identifier('kind')} = ${kindCode('FRAME')} AND ${identifier('parent_id')} IN ${some}`;
    for await (const batch of table.readRows(['parentId'], { filter }))
      for (const { parentId } of batch) framesOf[numbers.get(parentId!)!]! += 1;
  }
  return { videoOf, framesOf };
}

function joined(a: Int32Array, b: Int32Array): Int32Array {
  const both = new Int32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
