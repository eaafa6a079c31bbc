import type { Skeleton } from './file-picture';
import { listOf, numberOf, numbersOf, textOf } from './json-values';

const MOST = { labels: 16, points: 200, name: 50, edges: 400 };

/** Names of keypoints, and edges by their numbers from 1, as COCO has them; undefined if there are none that can be kept. */
export function skeletonOf(label: string, names: unknown, edges: unknown): Skeleton | undefined {
  const points = listOf(names).map((name) => textOf(name).slice(0, MOST.name));
  if (points.length === 0 || points.length > MOST.points) return undefined;
  const isPoint = (number: number): boolean => Number.isInteger(number) && number >= 0 && number < points.length;
  const connected = listOf(edges).flatMap((edge) => {
    const [from = NaN, to = NaN] = numbersOf(edge).map((number) => numberOf(number) - 1);
    return isPoint(from) && isPoint(to) ? [[from, to] as const] : [];
  });
  return { label, points, edges: connected.slice(0, MOST.edges) };
}

/** One for each label, the later of two. */
export function mergedSkeletons(before: readonly Skeleton[], later: readonly Skeleton[]): Skeleton[] {
  const byLabel = new Map([...before, ...later].map((skeleton) => [skeleton.label, skeleton]));
  return [...byLabel.values()].slice(0, MOST.labels);
}

/** That of a label, if it has as many points; otherwise with numbers for names. */
export function skeletonFor(skeletons: readonly Skeleton[], label: string, points: number): Skeleton {
  const known = skeletons.find((skeleton) => skeleton.label === label);
  if (known !== undefined && known.points.length >= points) return known;
  return { label, points: Array.from({ length: points }, (_, at) => `point_${at + 1}`), edges: [] };
}
