import type { Point } from './viewport';

/** Those of the places that have room for a picture, the first ones first, without one over another. */
export function placed<Place extends Point>(places: readonly Place[], width: number, gap: number): readonly Place[] {
  const apart = width + gap;
  const chosen: Place[] = [];
  for (const place of places)
    if (chosen.every(({ x, y }) => Math.abs(x - place.x) >= apart || Math.abs(y - place.y) >= apart))
      chosen.push(place);
  return chosen;
}
