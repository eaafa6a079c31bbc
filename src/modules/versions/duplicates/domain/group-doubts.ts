import { inSlices } from '../../../../common/platform/concurrency/in-slices';
import type { NeighbourLists } from './neighbour-lists';

/** Why a group may have different pictures: it has many, or two of its members are similar only to a third one. */
export const GROUP_DOUBTS = ['LARGE', 'CHAINED'] as const;
export type GroupDoubt = (typeof GROUP_DOUBTS)[number];

/** Copies of a picture count once; few pictures have more edited versions. */
const MOST_PICTURES = 5;

/**
 * The doubt about the group of each centre, as its position in GROUP_DOUBTS plus 1; 0 for none. `centres` are of the first rows of copies.
 * Members in a dense region, whose lists are full, count as chained unless their lists have each other.
 */
export async function groupDoubts(lists: NeighbourLists, centres: Int32Array, copies: Int32Array): Promise<Uint8Array> {
  const rows = centres.length;
  const pictures = new Int32Array(rows);
  const doubts = new Uint8Array(rows);
  const countedFor = new Int32Array(rows).fill(-1);
  const isPicture = (row: number): boolean => copies[row]! > 0 && centres[row]! >= 0;
  await inSlices(rows, (from, to) => {
    for (let row = from; row < to; row++) if (isPicture(row)) pictures[centres[row]!]! += 1;
  });
  await inSlices(rows, (from, to) => {
    for (let row = from; row < to; row++) {
      if (!isPicture(row)) continue;
      const centre = centres[row]!;
      if (pictures[centre]! > MOST_PICTURES) doubts[centre] = 1;
      else if (doubts[centre] === 0 && neighboursIn(centre, row) < pictures[centre]! - 1) doubts[centre] = 2;
    }
  });
  return doubts;

  function neighboursIn(centre: number, row: number): number {
    let count = 0;
    for (let place = lists.start(row); place < lists.end(row); place++) {
      const other = lists.at(place);
      if (centres[other] !== centre || countedFor[other] === row) continue;
      countedFor[other] = row;
      count += 1;
    }
    return count;
  }
}
