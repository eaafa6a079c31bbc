import type { AttributeValue, Mask } from '../../annotations/annotation';
import { exact } from '../convert-shapes';
import type { FileAnnotation, Skeleton } from '../file-picture';
import { partAround, runsOfSpans } from '../mask-rows';
import { pairsOf, pointsOf, ringOf } from '../list-texts';
import { xmlAttributes, xmlText } from '../xml-text';

/** By label. */
export type Skeletons = ReadonlyMap<string, Skeleton>;

type Attributes = Readonly<Record<string, string | number | undefined>>;

const attributeText = ([name, value]: [string, AttributeValue]): string =>
  `<attribute name="${xmlText(name)}">${xmlText(String(value))}</attribute>`;

const listOfPoints = (ring: readonly number[]): string =>
  pairsOf(ring)
    .map((pair) => pair.join(','))
    .join(';');

/** The part of the picture that is around a mask, and its run lengths there in rows. */
function partOf(mask: Mask): Attributes {
  const { spans, ...part } = partAround(mask);
  return { rle: runsOfSpans(spans, part.width * part.height).join(', '), ...part };
}

/** `common` has the label of an annotation of an image, or the frame of one in a track. */
export function elementOf(annotation: FileAnnotation, skeletons: Skeletons, common: Attributes): string {
  const { box, rotation, polygon, mask, keypoints, attributes } = annotation;
  const inside = Object.entries(attributes ?? {})
    .map(attributeText)
    .join('');
  const element = (name: string, own: Attributes, content = inside): string =>
    `<${name}${xmlAttributes({ ...common, occluded: 0, ...own, z_order: 0 })}>${content}</${name}>\n`;
  if (keypoints !== undefined) {
    const points = pointsOf(keypoints).map(([x, y, visibility], at) => {
      const own = {
        label: skeletons.get(annotation.label)!.points[at],
        source: 'manual',
        outside: visibility === 0 ? 1 : 0,
        occluded: visibility === 1 ? 1 : 0,
      };
      return `<points${xmlAttributes({ ...own, points: `${x},${y}` })}></points>`;
    });
    return element('skeleton', {}, points.join('') + inside);
  }
  if (mask !== undefined) return element('mask', partOf(mask));
  if (polygon !== undefined) return element('polygon', { points: listOfPoints(ringOf(annotation)) });
  if (box === undefined) return `<tag${xmlAttributes(common)}>${inside}</tag>\n`;
  const [x, y, width, height] = box;
  return element('box', { xtl: x, ytl: y, xbr: exact(x + width), ybr: exact(y + height), rotation });
}
