import type { NearPairs } from '../../../common/engine/media-table/edges-file';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { Placement } from '../../../common/engine/similarity/placing/placement';
import { groupOf, type RowGroup } from '../build/domain/final-order';
import { placeOf } from '../build/domain/map-place';

interface AddedGroup {
  readonly placement: Placement;
  /** Ordinals of its items, set as their rows pass. */
  readonly ordinals: Int32Array;
  seen: number;
}

/** Computes the columns of new rows after they were compared with those of a table. Rows must come in the order of the source. */
export class AddedPlacement {
  private readonly groups = new Map<RowGroup, AddedGroup>();
  private next: number;

  constructor(placements: ReadonlyMap<RowGroup, Placement>, firstOrdinal: number) {
    this.next = firstOrdinal;
    for (const [name, placement] of placements) {
      this.groups.set(name, { placement, ordinals: new Int32Array(placement.nearest.length), seen: 0 });
    }
  }

  place(row: MediaRow): MediaRow {
    const ordinal = this.next++;
    const group = this.groups.get(groupOf(row.kind));
    if (group === undefined) return row;
    const item = group.seen++;
    group.ordinals[item] = ordinal;
    const { clusters, uniqueness, outlier, nearest, layout } = group.placement;
    const [c0, c1, c2, c3, c4] = clusters;
    return {
      ...row,
      uniqueness: uniqueness[item]!,
      outlierConfidence: outlier[item]!,
      nearestSimilarity: nearest[item]! < 0 ? null : nearest[item]!,
      clusters: [c0[item]!, c1[item]!, c2[item]!, c3[item]!, c4[item]!],
      mapPlace: placeOf(layout, item),
    };
  }

  /** The near-duplicate pairs of the new rows, by ordinal. Call it after all rows are placed. */
  edges(): NearPairs[] {
    return [...this.groups.values()].flatMap(({ placement: { among, toKnown }, ordinals }) => {
      const toOrdinals = (items: Int32Array): Int32Array => items.map((item) => ordinals[item]!);
      return [
        { first: toOrdinals(among.first), second: toOrdinals(among.second), cosine: among.cosine },
        { first: toKnown.second, second: toOrdinals(toKnown.first), cosine: toKnown.cosine },
      ];
    });
  }
}
