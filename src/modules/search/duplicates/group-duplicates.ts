import type { NearPairs } from '../../../common/engine/media-table/edges-file';
import { SAME_BYTES, SAME_VECTOR } from '../../../common/engine/similarity/similarity-structure';
import { inSlices } from '../domain/in-slices';
import { Crowds } from './domain/crowds';
import { DuplicateGroups } from './domain/duplicate-groups';
import { nearEnough } from './domain/near-enough';
import { NeighbourLists } from './domain/neighbour-lists';
import type { ReadVectors } from './domain/row-vectors';
import { SameRows } from './domain/same-rows';
import { StarGroups } from './domain/star-groups';

/** The groups at one similarity of 0.8 or above; exactly at 1, copies by their bytes. `pairs` may name later rows too. */
export async function groupDuplicates(
  pairs: NearPairs,
  similarity: number,
  rows: number,
  read: ReadVectors,
): Promise<DuplicateGroups> {
  if (pairs.first.length === 0) return DuplicateGroups.none(rows);
  if (similarity === 1) return DuplicateGroups.around((await SameRows.joinedBy(pairs, SAME_BYTES, rows)).first);
  const same = await SameRows.joinedBy(pairs, SAME_VECTOR, rows);
  const lists = await NeighbourLists.of(await nearEnough(pairs, similarity, same.first, read), rows);
  const crowds = await Crowds.among(lists, similarity, rows, read);
  const centres = await new StarGroups(lists, same.copies, crowds).centres();
  const centreOf = new Int32Array(rows);
  await inSlices(rows, (from, to) => {
    for (let row = from; row < to; row++) centreOf[row] = centres[same.first[row]!]!;
  });
  return DuplicateGroups.around(centreOf);
}
