import type { NearPairs } from '../../../common/engine/media-table/edges-file';
import { SAME_BYTES, SAME_VECTOR } from '../../../common/engine/similarity/similarity-structure';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import { DenseRegions } from './domain/dense-regions';
import { DuplicateGroups } from './domain/duplicate-groups';
import { groupDoubts } from './domain/group-doubts';
import { similarPairs } from './domain/similar-pairs';
import { NeighbourLists } from './domain/neighbour-lists';
import type { ReadVectors } from './domain/row-vectors';
import { SameRows } from './domain/same-rows';
import { StarGroups } from './domain/star-groups';

/** Groups at a similarity of 0.8 or more; at exactly 1, rows with identical bytes. `pairs` may include rows added later. */
export async function groupDuplicates(
  pairs: NearPairs,
  similarity: number,
  rows: number,
  read: ReadVectors,
): Promise<DuplicateGroups> {
  if (pairs.first.length === 0) return DuplicateGroups.none(rows);
  if (similarity === 1) return DuplicateGroups.around((await SameRows.joinedBy(pairs, SAME_BYTES, rows)).first);
  const same = await SameRows.joinedBy(pairs, SAME_VECTOR, rows);
  const lists = await NeighbourLists.of(await similarPairs(pairs, similarity, same.first, read), rows);
  const denseRegions = await DenseRegions.among(lists, similarity, rows, read);
  const centres = await new StarGroups(lists, same.copies, denseRegions).centres();
  const centreOf = new Int32Array(rows);
  await inSlices(rows, (from, to) => {
    for (let row = from; row < to; row++) centreOf[row] = centres[same.first[row]!]!;
  });
  return DuplicateGroups.around(centreOf, await groupDoubts(lists, centres, same.copies));
}
