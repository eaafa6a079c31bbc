import { meanOf } from '../assemble-structure';
import { distinctiveness, outlierConfidence, outlierConfidences } from '../distinctiveness';
import type { FoundNeighbours } from './found-neighbours';
import type { Placement } from './placement';
import { FEW, TWIN } from '../similarity-structure';

type Measures = Pick<Placement, 'nearest' | 'uniqueness' | 'outlier'>;

/** Compares each item with all others, known and new, on the scales of the known items. */
export function placeMeasures(found: FoundNeighbours): Measures {
  const { known, fresh, structure } = found;
  const { count } = fresh.added;
  const nearest = new Float32Array(count).fill(1);
  const scores = new Float32Array(count);
  for (let number = 0; number < fresh.item.length; number++) {
    const item = fresh.item[number]!;
    const few = nearestFew(found, fresh.row(item), structure.few.subarray(number * FEW, (number + 1) * FEW));
    nearest[item] = structure.nearest[number] === 1 ? 1 : Math.max(-1, few[0]!);
    scores[item] = distinctiveness(nearest[item], meanOf(few));
  }
  const most = known.mostUnique === null ? scores.reduce((a, b) => Math.max(a, b), 0) : measureOf(found);
  const uniqueness = scores.map((score) => (most > 0 ? Math.min(1, score / most) : 0));
  const half = known.outlierDistance;
  const outlier =
    half === null ? outlierConfidences(nearest) : nearest.map((cosine) => outlierConfidence(1 - cosine, half));
  return { nearest, uniqueness, outlier };
}

/** The reference of uniqueness: the most unique known item. Its match with itself scores TWIN and is left out. */
function measureOf(found: FoundNeighbours): number {
  const few = nearestFew(found, found.fresh.measureRow, new Float32Array(0));
  return distinctiveness(Math.max(-1, few[0]!), meanOf(few));
}

function nearestFew({ neighbours }: FoundNeighbours, row: number, others: Float32Array): Float32Array {
  const { scores, length } = neighbours.nearest;
  const all = [...scores.subarray(row * length, (row + 1) * length), ...others].filter((score) => score < TWIN);
  const few = new Float32Array(FEW).fill(-Infinity);
  few.set(all.sort((a, b) => b - a).slice(0, FEW));
  return few;
}
