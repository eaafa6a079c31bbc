import type { FoundNeighbours } from './found-neighbours';
import { hashedRandom } from '../projection/hashed-random';
import type { MapLayout } from '../similarity-structure';

/** The distance of a new item from its nearest known item, as a share of the mean distance of known items from theirs. */
const BESIDE = 0.25;

/** Puts each new item beside its nearest known item. If no item is known, lays the new items out by themselves. */
export function placeOnMap({ known, fresh, neighbours, structure }: FoundNeighbours): MapLayout {
  const { count } = fresh.added;
  const layout = { x: new Float32Array(count).fill(NaN), y: new Float32Array(count).fill(NaN) };
  const radius = BESIDE / Math.sqrt(Math.max(1, known.count));
  for (let item = 0; item < count; item++) {
    const number = fresh.number[item]!;
    if (known.count === 0) {
      layout.x[item] = structure.layout.x[number]!;
      layout.y[item] = structure.layout.y[number]!;
      continue;
    }
    const { keys, length } = neighbours.nearest;
    const nearest = number === -1 ? fresh.twin[item]! : keys[fresh.row(item) * length]!;
    const angle = 2 * Math.PI * hashedRandom(known.count, item);
    const away = radius * Math.sqrt(hashedRandom(item, known.count));
    layout.x[item] = inUnit(known.places.x[nearest]! + away * Math.cos(angle));
    layout.y[item] = inUnit(known.places.y[nearest]! + away * Math.sin(angle));
  }
  return layout;
}

const inUnit = (part: number): number => Math.max(0, Math.min(1, part));
