import type { Pictures } from '../annotation-format';
import { pointsOf } from '../list-texts';
import { xmlText } from '../xml-text';

interface Label {
  points: number;
  /** By name: whether all values are true or false. */
  readonly attributes: Map<string, boolean>;
}

/** The labels with their attributes, which CVAT has to know before it reads annotations. */
export async function labelsIn(pictures: Pictures): Promise<ReadonlyMap<string, Label>> {
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

const attributeText = ([name, isFlag]: [string, boolean]): string =>
  `<attribute><name>${xmlText(name)}</name><mutable>True</mutable><input_type>${isFlag ? 'checkbox' : 'text'}</input_type><default_value></default_value><values></values></attribute>`;

function labelText([name, { points, attributes }]: [string, Label]): string {
  const listed = Array.from(attributes, attributeText).join('');
  const type = points > 0 ? 'skeleton' : 'any';
  const own = `<label><name>${xmlText(name)}</name><type>${type}</type><attributes>${listed}</attributes></label>\n`;
  const parts = Array.from(
    { length: points },
    (_, at) =>
      `<label><name>${at + 1}</name><type>points</type><attributes></attributes><parent>${xmlText(name)}</parent></label>\n`,
  );
  return own + parts.join('');
}

export const labelsText = (labels: ReadonlyMap<string, Label>, name: string): string =>
  `<meta>\n<task>\n<name>${xmlText(name)}</name>\n<labels>\n${Array.from(labels, labelText).join('')}</labels>\n</task>\n</meta>\n`;
