import { ringOfEllipse } from '../convert-shapes';
import type { FileAnnotation } from '../file-picture';
import type { FromFile } from '../from-file';
import type { Members } from '../given-files';
import { attributesOf, defined, listOf, numbersOf, objectOf, optional, textOf, type JsonObject } from '../json-values';
import { folderIn, parsedJson, stemOf, textIn } from '../member-texts';
import { maskIn } from './read-mask';

/** LabelMe: a document beside each picture. Its flags are labels of the whole picture. */
export async function* readLabelme(members: Members): AsyncGenerator<FromFile> {
  for await (const member of members()) {
    const { name: file } = member;
    if (!/\.json$/i.test(file)) continue;
    const read = parsedJson(await textIn(member));
    const document = objectOf(read?.value);
    if (document['shapes'] === undefined) yield { fault: { file, message: 'it is not JSON with a list of shapes' } };
    else yield* annotationsIn(document, file);
  }
}

async function* annotationsIn(document: JsonObject, file: string): AsyncGenerator<FromFile> {
  const { imagePath, shapes, flags } = document;
  const path = pathOf(textOf(imagePath), file);
  const labels = Object.entries(objectOf(flags)).flatMap(([label, isSet]) => (isSet === true ? [{ label }] : []));
  if (labels.length > 0) yield { path, annotations: labels, from: { file } };
  for (const [at, shape] of listOf(shapes).entries()) {
    const from = { file, entry: at + 1 };
    const read = await annotationOf(objectOf(shape), document);
    if ('fault' in read) yield { fault: { ...from, field: 'shape_type', message: read.fault } };
    else yield { path, annotations: [read], from };
  }
}

/** Relative to the document, on any system. */
function pathOf(imagePath: string, file: string): string {
  const path = imagePath.replaceAll('\\', '/');
  return path === '' ? stemOf(file) : path.includes('/') ? path : `${folderIn(file)}${path}`;
}

type Read = FileAnnotation | { readonly fault: string };

async function annotationOf(shape: JsonObject, document: JsonObject): Promise<Read> {
  const { label, points, shape_type: type = 'polygon', group_id: group, flags } = shape;
  const pairs = listOf(points).map(numbersOf);
  const common = {
    label: textOf(label).trim(),
    attributes: attributesOf({ ...objectOf(flags), ...(optional(group, textOf) !== undefined && { group_id: group }) }),
  };
  const [[x0 = NaN, y0 = NaN] = [], [x1 = NaN, y1 = NaN] = []] = pairs;
  const [left, top] = [Math.min(x0, x1), Math.min(y0, y1)];
  switch (type) {
    case 'rectangle':
      return defined({ ...common, box: [left, top, sizeOf(x0, x1), sizeOf(y0, y1)] as const });
    case 'mask': {
      const mask = await maskIn(shape, document);
      return typeof mask === 'string' ? { fault: mask } : defined({ ...common, mask });
    }
    case 'polygon':
    case 'oriented_rectangle':
      return defined({ ...common, polygon: [pairs.flat()] });
    case 'point':
      return defined({ ...common, keypoints: [x0, y0, 2] });
    case 'points':
      return defined({ ...common, keypoints: pairs.flatMap(([x = NaN, y = NaN]) => [x, y, 2]) });
    case 'circle': {
      const radius = Math.hypot(x1 - x0, y1 - y0);
      return defined({ ...common, polygon: [ringOfEllipse(x0, y0, radius, radius)] });
    }
    default:
      return { fault: `${textOf(type).slice(0, 40)} is not a rectangle, a polygon, a circle, a mask or points` };
  }
}

const sizeOf = (from: number, to: number): number => Number(Math.abs(to - from).toPrecision(12));
