import type { MapLayout } from '../../src/common/engine/similarity/similarity-structure';
import type { KnownGroups } from '../../test/support/known-groups';

const NEAREST = 15;
const OF_FAMILY = 10;
const PROBES = 400;

export interface MapQuality {
  /** 1 if all neighbours on the map are also near as vectors (Venna and Kaski). */
  readonly trustworthiness: number;
  /** The share of the nearest vectors that are also among the nearest on the map. */
  readonly recall: number;
  /** The share of the nearest on the map that belong to the same family, for items of families with enough members. */
  readonly sameFamily: number;
}

/** Measured for a sample of the items. */
export function mapQuality({ x, y }: MapLayout, { count, dimension, vectors, group }: KnownGroups): MapQuality {
  const sizes = new Int32Array(count);
  for (const each of group) sizes[each]! += 1;
  let [penalty, shared, family, inFamilies] = [0, 0, 0, 0];
  for (let probe = 0; probe < PROBES; probe++) {
    const item = Math.floor(((probe + 0.5) * count) / PROBES);
    const onMap = nearestTo(item, count, (other) => (x[item]! - x[other]!) ** 2 + (y[item]! - y[other]!) ** 2);
    const byVector = nearestTo(item, count, (other) => {
      let sum = 0;
      for (let k = 0; k < dimension; k++) sum -= vectors[item * dimension + k]! * vectors[other * dimension + k]!;
      return sum;
    });
    const rank = new Int32Array(count);
    byVector.forEach((other, at) => (rank[other] = at));
    for (const other of onMap.subarray(0, NEAREST)) {
      if (rank[other]! < NEAREST) shared += 1;
      else penalty += rank[other]! + 1 - NEAREST;
    }
    if (sizes[group[item]!]! <= OF_FAMILY) continue;
    inFamilies += 1;
    for (const other of onMap.subarray(0, OF_FAMILY)) if (group[other] === group[item]) family += 1;
  }
  return {
    trustworthiness: 1 - (2 * penalty) / (PROBES * NEAREST * (2 * count - 3 * NEAREST - 1)),
    recall: shared / (PROBES * NEAREST),
    sameFamily: family / (inFamilies * OF_FAMILY),
  };
}

/** All other items by ascending distance. */
function nearestTo(item: number, count: number, distanceTo: (other: number) => number): Int32Array {
  const distances = Float64Array.from({ length: count }, (_, other) => (other === item ? Infinity : distanceTo(other)));
  const order = Int32Array.from(distances.keys()).sort((a, b) => distances[a]! - distances[b]!);
  return order.subarray(0, count - 1);
}
