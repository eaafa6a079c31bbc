import type { FileAnnotation } from '../file-picture';
import type { FromFile } from '../from-file';
import type { Members } from '../given-files';
import { defined, textOf, type JsonObject } from '../json-values';
import { MalformedFileError } from '../malformed-file';
import { fileIn, stemOf, textIn } from '../member-texts';
import { childrenOf, parsedXml } from '../xml-elements';

/** Boxes of Pascal VOC, a document for each picture. `difficult` ones are ignored in comparisons. */
export async function* readVoc(members: Members): AsyncGenerator<FromFile> {
  for await (const member of members()) {
    if (!/\.xml$/i.test(member.name)) continue;
    const from = { file: member.name };
    const [document, fault] = documentIn(await textIn(member));
    if (document === undefined) yield { fault: { ...from, message: fault } };
    else {
      const path = textOf(document['filename']) || stemOf(fileIn(member.name));
      for (const [at, object] of childrenOf(document, 'object').entries())
        yield { path, annotations: [annotationOf(object)], from: { ...from, entry: at + 1 } };
    }
  }
}

function documentIn(text: string): [JsonObject, ''] | [undefined, string] {
  try {
    const [document] = childrenOf(parsedXml(text), 'annotation');
    return document === undefined ? [undefined, 'it has no element annotation'] : [document, ''];
  } catch (error) {
    if (error instanceof MalformedFileError) return [undefined, error.message];
    throw error;
  }
}

function annotationOf(object: JsonObject): FileAnnotation {
  const { name, difficult, truncated, occluded, pose } = object;
  const [bounds = {}] = childrenOf(object, 'bndbox');
  const [left, top, right, bottom] = ['xmin', 'ymin', 'xmax', 'ymax'].map((side) => numberIn(bounds[side]));
  const attributes = defined({
    truncated: truncated === '1' ? true : undefined,
    occluded: occluded === '1' ? true : undefined,
    pose: typeof pose === 'string' && pose !== '' && pose !== 'Unspecified' ? pose : undefined,
  });
  return defined({
    label: textOf(name).trim(),
    box: [left!, top!, difference(right!, left!), difference(bottom!, top!)] as const,
    ignored: difficult === '1' ? (true as const) : undefined,
    attributes: Object.keys(attributes).length === 0 ? undefined : attributes,
  });
}

/** Without the noise of floating point. */
const difference = (a: number, b: number): number => Number((a - b).toPrecision(12));

const numberIn = (value: unknown): number => (textOf(value).trim() === '' ? NaN : Number(textOf(value)));
