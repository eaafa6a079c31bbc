import type { Pictures } from '../annotation-format';
import { exact } from '../convert-shapes';
import type { Skeleton } from '../file-picture';
import { pointsOf } from '../list-texts';
import { skeletonFor } from '../skeletons';
import { xmlAttributes, xmlText } from '../xml-text';
import type { Skeletons } from './element-texts';

interface Label {
  points: number;
  /** By name: whether all values are true or false. */
  readonly attributes: Map<string, boolean>;
}

type Labels = ReadonlyMap<string, Label>;

/** The labels with their attributes, which CVAT has to know before it reads annotations. */
export async function labelsIn(pictures: Pictures): Promise<Labels> {
  const labels = new Map<string, Label>();
  for await (const batch of pictures())
    for (const { annotations } of batch)
      for (const { label: name, attributes, keypoints = [] } of annotations) {
        const label = labels.get(name) ?? { points: 0, attributes: new Map() };
        labels.set(name, label);
        label.points = Math.max(label.points, pointsOf(keypoints).length);
        for (const [attribute, value] of Object.entries(attributes ?? {}))
          label.attributes.set(attribute, typeof value === 'boolean' && label.attributes.get(attribute) !== false);
      }
  return labels;
}

/** Of the labels that have keypoints. */
export const skeletonsOf = (labels: Labels, known: readonly Skeleton[]): Skeletons =>
  new Map(
    Array.from(labels).flatMap(([name, { points }]) =>
      points === 0 ? [] : [[name, skeletonFor(known, name, points)] as const],
    ),
  );

const attributeText = ([name, isFlag]: [string, boolean]): string =>
  `<attribute><name>${xmlText(name)}</name><mutable>True</mutable><input_type>${isFlag ? 'checkbox' : 'text'}</input_type><default_value></default_value><values></values></attribute>`;

const [MIDDLE, RADIUS] = [50, 40];

/** CVAT requires a drawing: the points are around a circle. */
function drawingOf({ points, edges }: Skeleton): string {
  const places = points.map((_, at) => {
    const angle = (2 * Math.PI * at) / points.length;
    return [exact(MIDDLE + RADIUS * Math.cos(angle)), exact(MIDDLE + RADIUS * Math.sin(angle))] as const;
  });
  const lines = edges.map(([from, to]) => {
    const [[x1, y1], [x2, y2]] = [places[from]!, places[to]!];
    const own = { x1, y1, x2, y2, 'data-type': 'edge', 'data-node-from': from + 1, 'data-node-to': to + 1 };
    return `<line${xmlAttributes(own)}></line>`;
  });
  const nodes = places.map(([cx, cy], at) => {
    const own = { r: 1, cx, cy, 'data-type': 'element node', 'data-element-id': at + 1, 'data-node-id': at + 1 };
    return `<circle${xmlAttributes({ ...own, 'data-label-name': points[at] })}></circle>`;
  });
  return [...lines, ...nodes].join('');
}

function labelText([name, { attributes }]: [string, Label], skeleton: Skeleton | undefined): string {
  const listed = `<attributes>${Array.from(attributes, attributeText).join('')}</attributes>`;
  if (skeleton === undefined) return `<label><name>${xmlText(name)}</name><type>any</type>${listed}</label>\n`;
  const svg = `<svg>${xmlText(drawingOf(skeleton))}</svg>`;
  const parts = skeleton.points.map(
    (point) =>
      `<label><name>${xmlText(point)}</name><type>points</type><attributes></attributes><parent>${xmlText(name)}</parent></label>\n`,
  );
  return `<label><name>${xmlText(name)}</name><type>skeleton</type>${listed}${svg}</label>\n${parts.join('')}`;
}

export function labelsText(labels: Labels, skeletons: Skeletons, name: string): string {
  const texts = Array.from(labels, (label) => labelText(label, skeletons.get(label[0])));
  return `<meta>\n<task>\n<name>${xmlText(name)}</name>\n<labels>\n${texts.join('')}</labels>\n</task>\n</meta>\n`;
}
