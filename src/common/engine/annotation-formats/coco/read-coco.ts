import type { BoxNumbers, Mask } from '../../annotations/annotation';
import { textOfRuns } from '../../annotations/mask-runs';
import type { FileAnnotation, Skeleton } from '../file-picture';
import type { FromFile } from '../from-file';
import type { Members } from '../given-files';
import { JsonListScanner, WHOLE_LIST } from '../json-list-scanner';
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
import { MalformedFileError } from '../malformed-file';
import { mergedSkeletons, skeletonOf } from '../skeletons';

const MAX_NAMES = 10_000_000;

type Id = string | number;

interface Names {
  readonly images: Map<Id, string>;
  readonly categories: Map<Id, string>;
  readonly skeletons: Skeleton[];
  /** Whether a file is a list of results: the annotations beside the names are those of others then. */
  hasResults: boolean;
}

/**
 * COCO files of objects, segments and keypoints, and lists of results, whose pictures and categories are in another file. Names may follow
 * annotations, so files are read twice.
 */
export async function* readCoco(members: Members): AsyncGenerator<FromFile> {
  const names = await namesIn(members);
  if (names.images.size === 0)
    throw new MalformedFileError(
      'there is no list of images: send results together with the COCO file of their pictures',
    );
  if (names.skeletons.length > 0)
    yield { path: '', annotations: [], skeletons: mergedSkeletons([], names.skeletons), from: { file: '' } };
  for await (const { name: file, bytes } of jsonOf(members)) {
    let found: FromFile[] = [];
    let entry = 0;
    let image = 0;
    const lists = names.hasResults ? [WHOLE_LIST] : ['images', 'annotations'];
    const scanner = new JsonListScanner(lists, (list, value) => {
      if (list === 'images') found.push(...fromImage(file, ++image, objectOf(value)));
      else found.push(fromEntry(file, ++entry, objectOf(value), names));
    });
    for await (const chunk of bytes) {
      scanner.write(chunk);
      yield* found;
      found = [];
    }
    scanner.end();
  }
}

async function* jsonOf(members: Members): ReturnType<Members> {
  for await (const member of members()) if (/\.json$/i.test(member.name)) yield member;
}

async function namesIn(members: Members): Promise<Names> {
  const names: Names = { images: new Map(), categories: new Map(), skeletons: [], hasResults: false };
  for await (const { bytes } of jsonOf(members)) {
    const scanner = new JsonListScanner(['images', 'categories', WHOLE_LIST], (list, value) => {
      if (list === WHOLE_LIST) return;
      const { id, file_name: path, name, keypoints, skeleton } = objectOf(value);
      if (isId(id) && list === 'images') names.images.set(id, textOf(path));
      if (isId(id) && list === 'categories') names.categories.set(id, textOf(name).trim());
      const known = list === 'categories' ? skeletonOf(textOf(name).trim(), keypoints, skeleton) : undefined;
      if (known !== undefined) names.skeletons.push(known);
      if (names.images.size + names.categories.size > MAX_NAMES)
        throw new MalformedFileError(`there are more than ${MAX_NAMES} images and categories: divide the file`);
    });
    for await (const chunk of bytes) scanner.write(chunk);
    scanner.end();
    names.hasResults ||= scanner.isOneList;
  }
  return names;
}

/** Numbers that are too large to be exact may be those of several. */
const isId = (value: unknown): value is Id =>
  typeof value === 'string' || (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER);

/** Labels of the whole image, which only files of this service have. */
function fromImage(file: string, entry: number, value: JsonObject): FromFile[] {
  const { file_name: path, labels, label_annotations: whole } = value;
  const given = whole === undefined ? listOf(labels).map((label) => ({ label })) : listOf(whole).map(objectOf);
  const annotations = given.map((each: JsonObject) => annotationOf(each, textOf(each['label'])));
  return annotations.length === 0 ? [] : [{ path: textOf(path), annotations, from: { file, entry } }];
}

function fromEntry(file: string, entry: number, value: JsonObject, { images, categories }: Names): FromFile {
  const { image_id: image, category_id: category } = value;
  const path = isId(image) ? images.get(image) : undefined;
  const label = isId(category) ? categories.get(category) : undefined;
  if (path === undefined) return { fault: { file, entry, field: 'image_id', message: 'no image has this id' } };
  if (label === undefined) return { fault: { file, entry, field: 'category_id', message: 'no category has this id' } };
  return { path, annotations: [annotationOf(value, label)], from: { file, entry } };
}

function annotationOf(value: JsonObject, label: string): FileAnnotation {
  const { bbox, segmentation, keypoints, iscrowd, ignore, score, area, track_id: track } = value;
  const hasShape = (given: unknown): boolean =>
    given !== undefined && given !== null && !(Array.isArray(given) && given.length === 0);
  const isRuns = !Array.isArray(segmentation) && typeof segmentation === 'object' && segmentation !== null;
  return defined({
    id: optional(value['annotation_id'] ?? value['id'], textOf),
    label,
    box: hasShape(bbox) ? (numbersOf(bbox) as unknown as BoxNumbers) : undefined,
    polygon: hasShape(segmentation) && !isRuns ? listOf(segmentation).map(numbersOf) : undefined,
    mask: isRuns ? maskOf(objectOf(segmentation)) : undefined,
    keypoints: hasShape(keypoints) ? numbersOf(keypoints) : undefined,
    confidence: optional(score, numberOf),
    area: optional(area, numberOf),
    attributes: attributesOf(value['attributes']),
    crowd: iscrowd === 1 || iscrowd === true ? true : undefined,
    ignored: ignore === 1 || ignore === true ? true : undefined,
    trackId: optional(track, textOf),
  });
}

/** Run lengths that are a list are compressed. */
function maskOf({ size, counts }: JsonObject): Mask {
  const [height = NaN, width = NaN] = numbersOf(size);
  if (typeof counts === 'string') return { width, height, counts };
  const runs = numbersOf(counts);
  const isWhole = runs.every((run) => Number.isInteger(run) && run >= 0 && run < 2 ** 31);
  return { width, height, counts: isWhole ? textOfRuns(runs) : '' };
}
