import type { Skeleton } from '../file-picture';
import { objectOf, textOf, type JsonObject } from '../json-values';
import { mergedSkeletons, skeletonOf } from '../skeletons';
import { childrenOf, parsedXml } from '../xml-elements';

/** Those of the labels of a task, whose points are labels with a parent. */
export function skeletonsIn(task: JsonObject): Skeleton[] {
  const labels = childrenOf(objectOf(task['labels']), 'label');
  const pointsOf = new Map<string, string[]>();
  for (const { name, parent } of labels) {
    if (textOf(parent) === '') continue;
    const points = pointsOf.get(textOf(parent));
    if (points === undefined) pointsOf.set(textOf(parent), [textOf(name)]);
    else points.push(textOf(name));
  }
  const skeletons = labels.flatMap(({ name, parent, svg }) => {
    const points = parent === undefined ? pointsOf.get(textOf(name)) : undefined;
    return (points && skeletonOf(textOf(name), points, edgesIn(svg, points))) ?? [];
  });
  return mergedSkeletons([], skeletons);
}

/** By the numbers of the points from 1. The drawing of a skeleton is a text. */
function edgesIn(svg: unknown, points: readonly string[]): [number, number][] {
  const drawing = typeof svg === 'string' ? objectOf(parsedXml(`<svg>${svg}</svg>`)['svg']) : objectOf(svg);
  const numbers = new Map(points.map((point, at) => [point, at + 1]));
  const names = new Map(
    childrenOf(drawing, 'circle').map((node) => [textOf(node['@data-node-id']), textOf(node['@data-label-name'])]),
  );
  const numberOf = (node: unknown): number => numbers.get(names.get(textOf(node)) ?? '') ?? 0;
  return childrenOf(drawing, 'line').map((line) => [
    numberOf(line['@data-node-from']),
    numberOf(line['@data-node-to']),
  ]);
}
