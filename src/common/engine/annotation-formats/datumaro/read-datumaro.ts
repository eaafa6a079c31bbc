import type { BoxNumbers } from '../../annotations/annotation';
import type { FileAnnotation, Skeleton } from '../file-picture';
import type { FilePlace, FromFile } from '../from-file';
import type { Members } from '../given-files';
import { JsonListScanner } from '../json-list-scanner';
import {
  attributesOf,
  defined,
  listOf,
  numberOf,
  numbersOf,
  objectOf,
  optional,
  textOf,
  type JsonObject,
} from '../json-values';
import { mergedSkeletons, skeletonOf } from '../skeletons';

/** Names that Datumaro uses for what its annotations have no field for. */
const OWN = ['annotation_id', 'score', 'rotation', 'is_crowd', 'track_id'];

/** Datumaro's JSON. Labels may follow the pictures, so files are read twice. */
export async function* readDatumaro(members: Members): AsyncGenerator<FromFile> {
  const { labelsOf, skeletons } = await categoriesIn(members);
  if (skeletons.length > 0) yield { path: '', annotations: [], skeletons, from: { file: '' } };
  for await (const { name: file, bytes } of members()) {
    if (!/\.json$/i.test(file)) continue;
    const found: FromFile[] = [];
    let entry = 0;
    const scanner = new JsonListScanner(['items'], (_list, item) => {
      found.push(...fromItem(objectOf(item), labelsOf.get(file) ?? [], { file, entry: ++entry }));
    });
    for await (const chunk of bytes) {
      scanner.write(chunk);
      yield* found.splice(0);
    }
    scanner.end();
  }
}

async function categoriesIn(members: Members): Promise<{
  readonly labelsOf: ReadonlyMap<string, readonly string[]>;
  readonly skeletons: readonly Skeleton[];
}> {
  const labelsOf = new Map<string, readonly string[]>();
  let skeletons: readonly Skeleton[] = [];
  for await (const { name: file, bytes } of members()) {
    if (!/\.json$/i.test(file)) continue;
    const take = (_name: string, value: unknown): void => {
      const { label, points } = objectOf(value);
      const labels = listOf(objectOf(label)['labels']).map((each) => textOf(objectOf(each)['name']));
      labelsOf.set(file, labels);
      const own = listOf(objectOf(points)['items'])
        .map(objectOf)
        .flatMap((each) => {
          return skeletonOf(labels[numberOf(each['label_id'])] ?? '', each['labels'], each['joints']) ?? [];
        });
      skeletons = mergedSkeletons(skeletons, own);
    };
    const scanner = new JsonListScanner([], take, ['categories']);
    for await (const chunk of bytes) scanner.write(chunk);
    scanner.end();
  }
  return { labelsOf, skeletons };
}

function* fromItem(item: JsonObject, labels: readonly string[], from: FilePlace): Generator<FromFile> {
  const path = textOf(objectOf(item['image'])['path']) || textOf(item['id']);
  for (const each of listOf(item['annotations'])) {
    const annotation = objectOf(each);
    const read = annotationOf(annotation, labels[numberOf(annotation['label_id'])] ?? '');
    if (read === undefined)
      yield { fault: { ...from, field: 'type', message: `${textOf(annotation['type']).slice(0, 40)} is not read` } };
    else yield { path, annotations: [read], from };
  }
}

function annotationOf(value: JsonObject, label: string): FileAnnotation | undefined {
  const given = objectOf(value['attributes']);
  const others = Object.fromEntries(Object.entries(given).filter(([name]) => !OWN.includes(name)));
  const shape = shapeOf(value);
  if (shape === undefined) return undefined;
  return defined({
    id: optional(given['annotation_id'], textOf),
    label,
    ...shape,
    rotation: optional(given['rotation'], numberOf) || undefined,
    confidence: optional(given['score'], numberOf),
    crowd: given['is_crowd'] === true ? (true as const) : undefined,
    trackId: optional(given['track_id'], textOf),
    attributes: attributesOf(others),
  });
}

function shapeOf(value: JsonObject): Partial<FileAnnotation> | undefined {
  const points = numbersOf(value['points']);
  switch (value['type']) {
    case 'label':
      return {};
    case 'bbox':
      return { box: numbersOf(value['bbox']) as unknown as BoxNumbers };
    case 'polygon':
      return { polygon: [points] };
    case 'points':
      return { keypoints: withVisibility(points, numbersOf(value['visibility'])) };
    case 'mask': {
      const { counts, size } = objectOf(value['rle']);
      const [height = NaN, width = NaN] = numbersOf(size);
      return { mask: { width, height, counts: textOf(counts) } };
    }
    default:
      return undefined;
  }
}

function withVisibility(points: readonly number[], visibility: readonly number[]): number[] {
  const all: number[] = [];
  for (let at = 0; at < points.length; at += 2) all.push(points[at]!, points[at + 1] ?? NaN, visibility[at / 2] ?? 2);
  return all;
}
