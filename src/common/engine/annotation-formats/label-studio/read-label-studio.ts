import { exact, ringOfEllipse, rotatedAround } from '../convert-shapes';
import type { FileAnnotation } from '../file-picture';
import type { FilePlace, FromFile } from '../from-file';
import type { Members } from '../given-files';
import { JsonListScanner, WHOLE_LIST } from '../json-list-scanner';
import { defined, listOf, numberOf, numbersOf, objectOf, optional, textOf, type JsonObject } from '../json-values';

import { brushMask } from './brush-mask';

const PERCENT = 100;
/** What Label Studio puts before the name of an uploaded file. */
const UPLOADED = /^[0-9a-f]{8}-/;

/** Tasks of Label Studio, with annotations and predictions. */
export async function* readLabelStudio(members: Members): AsyncGenerator<FromFile> {
  for await (const { name: file, bytes } of members()) {
    if (!/\.json$/i.test(file)) continue;
    const found: FromFile[] = [];
    let entry = 0;
    const scanner = new JsonListScanner([WHOLE_LIST], (_list, task) => {
      found.push(...fromTask(objectOf(task), { file, entry: ++entry }));
    });
    for await (const chunk of bytes) {
      scanner.write(chunk);
      yield* found.splice(0);
    }
    scanner.end();
  }
}

function* fromTask({ data, annotations, predictions }: JsonObject, from: FilePlace): Generator<FromFile> {
  const path = pathOf(objectOf(data));
  for (const said of [...listOf(annotations), ...listOf(predictions)].map(objectOf)) {
    if (said['was_cancelled'] === true) continue;
    for (const result of listOf(said['result']).map(objectOf)) {
      const read = annotationsOf(result);
      if (typeof read === 'string') yield { fault: { ...from, field: 'type', message: read } };
      else if (read.length > 0)
        yield { path, annotations: read.map((each) => defined({ ...each, confidence: scoreOf(result, said) })), from };
    }
  }
}

const scoreOf = (result: JsonObject, said: JsonObject): number | undefined =>
  optional(result['score'] ?? said['score'], numberOf);

/** Of a file in a storage of Label Studio, an upload or an address. */
function pathOf(data: JsonObject): string {
  const given = textOf(data['image'] ?? Object.values(data).find((value) => typeof value === 'string'));
  const local = /[?&]d=([^&]+)/.exec(given)?.[1];
  if (local !== undefined) return decoded(local);
  if (!given.startsWith('/data/upload/')) return given;
  return decoded(given.slice(given.lastIndexOf('/') + 1)).replace(UPLOADED, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A sentence about what is not read. */
function annotationsOf(result: JsonObject): FileAnnotation[] | string {
  const { type, value, id, original_width: width, original_height: height } = result;
  const of = objectOf(value);
  const [w, h] = [numberOf(width) / PERCENT, numberOf(height) / PERCENT];
  const said = (shape: Partial<FileAnnotation>): FileAnnotation[] =>
    listOf(of[textOf(type)]).map(
      (label) => defined({ id: optional(id, textOf), label: textOf(label), ...shape }) as FileAnnotation,
    );
  switch (type) {
    case 'choices':
      return said({});
    case 'rectanglelabels':
      return said(boxOf(of, w, h));
    case 'polygonlabels':
      return said({ polygon: [listOf(of['points']).flatMap((point) => scaled(numbersOf(point), w, h))] });
    case 'ellipselabels': {
      const [cx = NaN, cy = NaN] = scaled([numberOf(of['x']), numberOf(of['y'])], w, h);
      const [rx = NaN, ry = NaN] = scaled([numberOf(of['radiusX']), numberOf(of['radiusY'])], w, h);
      return said({ polygon: [ringOfEllipse(cx, cy, rx, ry, optional(of['rotation'], numberOf))] });
    }
    case 'brushlabels': {
      const mask = brushMask(Uint8Array.from(numbersOf(of['rle'])), numberOf(width), numberOf(height));
      return mask === undefined ? 'a brush does not fill its picture' : said({ mask });
    }
    case 'keypointlabels':
      return said({ keypoints: [...scaled([numberOf(of['x']), numberOf(of['y'])], w, h), 2] });
    default:
      return `${textOf(type).slice(0, 40)} is not read`;
  }
}

const scaled = ([x = NaN, y = NaN]: readonly number[], w: number, h: number): number[] => [exact(x * w), exact(y * h)];

/** Label Studio turns a box around its upper left corner. */
function boxOf(value: JsonObject, w: number, h: number): Pick<FileAnnotation, 'box' | 'rotation'> {
  const [left, top] = [numberOf(value['x']) * w, numberOf(value['y']) * h];
  const [width = NaN, height = NaN] = scaled([numberOf(value['width']), numberOf(value['height'])], w, h);
  const rotation = optional(value['rotation'], numberOf) ?? 0;
  if (rotation === 0) return { box: [exact(left), exact(top), width, height] };
  const [x, y] = rotatedAround([left + width / 2, top + height / 2], [left, top], rotation);
  return { box: [exact(x! - width / 2), exact(y! - height / 2), width, height], rotation };
}
