import { identifier, inList } from '../../../common/engine/media-table/literal';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { kindCode } from '../../../common/engine/media-table/media-schema';
import type { Pairs, Placement } from '../../../common/engine/similarity/placement';
import { frameCounts, only, informativeRule } from '../indexing/domain/frame-pairs';

const PARENTS_AT_ONCE = 500;

/** Leaves out the pairs of frames that are not informative; `videoOf` holds the number of each new frame's video. */
export async function withInformativePairs(
  placement: Placement,
  videoOf: Int32Array,
  table: MediaTable,
): Promise<Placement> {
  const newFrames = frameCounts(videoOf);
  if (newFrames.length === 0) return placement;
  const { among, toKnown } = placement;
  // Of known rows only those that a new frame is near to; the rest come to lie at one place, which is no frame's.
  const met = [...new Set(toKnown.second.filter((_, i) => videoOf[toKnown.first[i]!]! >= 0))];
  const placeOf = new Map(met.map((ordinal, i) => [ordinal, videoOf.length + i]));
  const known = await videosOfRows(table, met);
  const videos = new Int32Array(videoOf.length + met.length + 1).fill(-1);
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

/** Of each row the number of its video, negative for what is no frame, and how many frames those videos have. */
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
