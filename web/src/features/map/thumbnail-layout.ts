import type { Point } from './viewport';

/** How large pictures are, up to how many media in sight: all of a small dataset. */
const SIDES = [
  { most: 16, px: 104 },
  { most: 60, px: 72 },
  { most: 1_000, px: 48 },
];
export const MOST_PICTURED = SIDES.at(-1)!.most;

export const sideOf = (inSight: number): number => SIDES.find(({ most }) => inSight <= most)?.px ?? 0;

/** Those of the places that have room for a picture, the first ones first, without one over another. */
export function placed<Place extends Point>(places: readonly Place[], width: number, gap: number): readonly Place[] {
  const apart = width + gap;
  const chosen: Place[] = [];
  for (const place of places)
    if (chosen.every(({ x, y }) => Math.abs(x - place.x) >= apart || Math.abs(y - place.y) >= apart))
      chosen.push(place);
  return chosen;
}
