import { enclosingBox } from '../../annotation-formats/convert-shapes';
import type { Annotation, BoxNumbers } from '../../annotations/annotation';
import { EvaluationError } from '../evaluation-error';
import { NOWHERE, type Extent } from './near-shapes';
import { LEAST_OVERLAP, type Overlaps } from './overlaps';

const TRIPLE = 3;
/** Of COCO's persons, from the nose to the ankles. */
const PERSON_SIGMAS = [26, 25, 25, 35, 35, 79, 79, 72, 72, 62, 62, 107, 107, 87, 87, 89, 89].map(
  (value) => value / 1000,
);

interface Keypoints {
  readonly points: readonly number[];
  readonly labelled: number;
  readonly box: BoxNumbers | undefined;
  /** Beside the points, if it was given. */
  readonly own: BoxNumbers | undefined;
  /** That divides distances, in the truth. */
  readonly area: number;
}

/** COCO's similarity of keypoints. */
export class KeypointOverlaps implements Overlaps<Keypoints> {
  constructor(private readonly sigmas: readonly number[] | undefined) {}

  shapeOf(annotation: Annotation): Keypoints | undefined {
    const { keypoints, box, area } = annotation;
    if (keypoints === undefined) return undefined;
    const around = box ?? enclosingBox({ keypoints });
    let labelled = 0;
    for (let at = 2; at < keypoints.length; at += TRIPLE) if (keypoints[at]! > 0) labelled += 1;
    return {
      points: keypoints,
      labelled,
      box: around,
      own: box,
      area: area ?? (around === undefined ? 0 : around[2] * around[3]),
    };
  }

  extentOf({ points }: Keypoints): Extent {
    return extentOfPoints(points);
  }

  /** Each point is as near as those that make the least overlap, or nearer. */
  reachOf(truth: Keypoints): Extent {
    const { points, labelled, box, area } = truth;
    const sigma = this.sigmasOf(points.length / TRIPLE).reduce((most, value) => Math.max(most, value), 0);
    const reach = 1 + 2 * sigma * Math.sqrt(2 * -Math.log(LEAST_OVERLAP) * (area + Number.EPSILON));
    const around = labelled > 0 ? extentOfPoints(points, true) : box && twice(box);
    if (around === undefined) return NOWHERE;
    const [left, top, right, bottom] = around;
    return [left - reach, top - reach, right + reach, bottom + reach];
  }

  sizeOf({ points }: Keypoints): number {
    return points.length;
  }

  /** Of its box, or of that around all points, labelled or not, as in COCO's tools. */
  areaOf({ points, own }: Keypoints): number {
    if (own !== undefined) return own[2] * own[3];
    const [left, top, right, bottom] = extentOfPoints(points);
    return (right - left) * (bottom - top);
  }

  truthAreaOf({ area }: Keypoints): number {
    return area;
  }

  isFindable({ labelled }: Keypoints): boolean {
    return labelled > 0;
  }

  /** 0 for another number of points. */
  between({ points: found }: Keypoints, truth: Keypoints): number {
    const sigmas = this.sigmasOf(truth.points.length / TRIPLE);
    if (found.length !== truth.points.length) return 0;
    let sum = 0;
    for (let point = 0; point < sigmas.length; point++) {
      if (truth.labelled > 0 && !(truth.points[point * TRIPLE + 2]! > 0)) continue;
      const squared = squaredDistance(found, truth, point * TRIPLE);
      sum += Math.exp(-(squared / (2 * sigmas[point]!) ** 2 / (truth.area + Number.EPSILON) / 2));
    }
    return sum / (truth.labelled > 0 ? truth.labelled : sigmas.length);
  }

  private sigmasOf(points: number): readonly number[] {
    const { sigmas } = this;
    if (sigmas === undefined)
      return points === PERSON_SIGMAS.length ? PERSON_SIGMAS : new Array<number>(points).fill(1 / points);
    if (sigmas.length !== points)
      throw new EvaluationError(`The truth has skeletons of ${points} points, but ${sigmas.length} sigmas were given`);
    return sigmas;
  }
}

/** From a point; from twice the box if no point of the truth is labelled. */
function squaredDistance(found: readonly number[], { points, labelled, box }: Keypoints, at: number): number {
  const [x, y] = [found[at]!, found[at + 1]!];
  if (labelled > 0) return (x - points[at]!) ** 2 + (y - points[at + 1]!) ** 2;
  if (box === undefined) return Infinity;
  const [left, top, right, bottom] = twice(box);
  const dx = Math.max(0, left - x) + Math.max(0, x - right);
  const dy = Math.max(0, top - y) + Math.max(0, y - bottom);
  return dx ** 2 + dy ** 2;
}

const twice = ([left, top, width, height]: BoxNumbers): Extent => [
  left - width,
  top - height,
  left + width * 2,
  top + height * 2,
];

function extentOfPoints(points: readonly number[], onlyLabelled = false): Extent {
  let [left, top, right, bottom] = NOWHERE;
  for (let at = 0; at < points.length; at += TRIPLE) {
    if (onlyLabelled && !(points[at + 2]! > 0)) continue;
    [left, right] = [Math.min(left, points[at]!), Math.max(right, points[at]!)];
    [top, bottom] = [Math.min(top, points[at + 1]!), Math.max(bottom, points[at + 1]!)];
  }
  return [left, top, right, bottom];
}
