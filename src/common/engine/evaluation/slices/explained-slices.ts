import type { SliceMembers } from './slice-members';
import type { Moments } from './slice-moments';

/** A slice that is no longer a finding without the objects of those before it says nothing new. */
export function withoutExplained<S extends { readonly conditions: readonly number[] }>(
  worstFirst: readonly S[],
  members: SliceMembers,
  {
    moments,
    isLeft,
    most,
  }: { readonly moments: Moments; readonly isLeft: (moments: Float64Array) => boolean; readonly most: number },
): S[] {
  /** By unit: how many of the kept slices have it. */
  const covered = new Uint8Array(members.units.labels.length);
  const kept: S[] = [];
  for (const slice of worstFirst) {
    if (kept.length === most) break;
    const units = members.unitsOf(slice.conditions);
    // Those that it narrows have all of its objects, and say less.
    const wider = kept.filter(({ conditions }) => conditions.every((each) => slice.conditions.includes(each))).length;
    const left = units.filter((unit) => covered[unit] === wider);
    if (left.length < units.length && !isLeft(momentsOf(members, left, moments))) continue;
    for (const unit of units) covered[unit]! += 1;
    kept.push(slice);
  }
  return kept;
}

function momentsOf(members: SliceMembers, left: Int32Array, { width, of }: Moments): Float64Array {
  const sums = members.sumsOfUnits(left);
  const [own, all] = [new Float64Array(width), new Float64Array(width)];
  const picture = new Float64Array(sums.columns.length);
  for (let at = 0; at < sums.pictures.length; at++) {
    for (let column = 0; column < picture.length; column++) picture[column] = sums.columns[column]![at]!;
    of(picture, own);
    for (let place = 0; place < width; place++) all[place]! += own[place]!;
  }
  return all;
}
