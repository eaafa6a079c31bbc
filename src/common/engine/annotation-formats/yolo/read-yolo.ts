import { load } from 'js-yaml';
import type { BoxNumbers } from '../../annotations/annotation';
import type { FileAnnotation, Skeleton } from '../file-picture';
import type { FromFile } from '../from-file';
import type { Members } from '../given-files';
import { listOf, objectOf, textOf } from '../json-values';
import { MalformedFileError } from '../malformed-file';
import { mergedSkeletons, skeletonOf } from '../skeletons';
import { fileIn, folderIn, linesIn, stemOf, textIn } from '../member-texts';

const BOX = 4;
const TRIPLE = 3;

interface Classes {
  readonly names: ReadonlyMap<number, string>;
  /** The number of points and of values of each, of poses. */
  readonly points: readonly [count: number, values: number] | undefined;
  /** Names of points, by label. */
  readonly skeletons: readonly Skeleton[];
  /** Where data.yaml lies. */
  readonly root: string;
}

const isYaml = (name: string): boolean => /\.ya?ml$/i.test(name);
const isClasses = (name: string): boolean => /^(?:classes|obj)\.(?:txt|names)$/i.test(fileIn(name));
const isOther = (name: string): boolean => /^(?:train|val|test|autosplit_\w+|readme\S*)\.txt$/i.test(fileIn(name));

/** Label files in the layout of Ultralytics: boxes, segments, turned boxes as polygons, and poses, with the confidence of predictions. */
export async function* readYolo(members: Members): AsyncGenerator<FromFile> {
  const classes = await classesIn(members);
  const { skeletons } = classes;
  if (skeletons.length > 0) yield { path: '', annotations: [], skeletons, from: { file: '' } };
  for await (const member of members()) {
    const { name: file } = member;
    if (!/\.txt$/i.test(file) || isClasses(file) || isOther(file)) continue;
    const path = picturePath(file.startsWith(classes.root) ? file.slice(classes.root.length) : file);
    for await (const { line, text } of linesIn(member)) {
      const read = annotationIn(text, classes);
      if ('fault' in read) yield { fault: { file, line, message: read.fault } };
      else yield { path, annotations: [read], from: { file, line } };
    }
  }
}

/** Without its extension, which label files do not tell. */
function picturePath(file: string): string {
  const stem = `/${stemOf(file)}`;
  const at = stem.lastIndexOf('/labels/');
  return (at < 0 ? stem : `${stem.slice(0, at)}/images/${stem.slice(at + '/labels/'.length)}`).slice(1);
}

async function classesIn(members: Members): Promise<Classes> {
  let [root, points]: [string | undefined, Classes['points']] = [undefined, undefined];
  let skeletons: readonly Skeleton[] = [];
  const names = new Map<number, string>();
  for await (const member of members()) {
    if (isYaml(member.name)) {
      const { names: listed, kpt_shape: shape, kpt_names: named } = objectOf(loaded(member.name, await textIn(member)));
      if (listed === undefined) continue;
      root = folderIn(member.name);
      for (const [number, name] of byNumber(listed)) names.set(number, textOf(name));
      const own = byNumber(named).flatMap(([number, of]) => skeletonOf(names.get(number) ?? '', of, []) ?? []);
      skeletons = mergedSkeletons(skeletons, own);
      const [count, values] = listOf(shape).map(Number);
      if (count !== undefined && values !== undefined) points = [count, values];
    } else if (isClasses(member.name) && names.size === 0) {
      root ??= '';
      let number = 0;
      for await (const { text } of linesIn(member)) names.set(number++, text);
    }
  }
  if (root === undefined) throw new MalformedFileError('there is no data.yaml with names, and no classes.txt');
  return { names, points, skeletons, root };
}

/** The values of a list, or of an object whose names are numbers. */
const byNumber = (value: unknown): (readonly [number, unknown])[] =>
  Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(objectOf(value)).map(([number, each]) => [Number(number), each] as const);

function loaded(name: string, text: string): unknown {
  try {
    return load(text);
  } catch {
    throw new MalformedFileError(`${name} is not YAML`);
  }
}

function annotationIn(
  text: string,
  { names, points, skeletons }: Classes,
): FileAnnotation | { readonly fault: string } {
  const [number = NaN, ...values] = text.split(/\s+/).map(Number);
  const label = names.get(number);
  if (label === undefined) return { fault: `class ${text.slice(0, 20).split(/\s/)[0]} has no name` };
  if (!values.every(Number.isFinite)) return { fault: 'a value is not a number' };
  const ofPose = points && BOX + points[0] * points[1];
  const isPose = ofPose !== undefined && (values.length === ofPose || values.length === ofPose + 1);
  if (!isPose && values.length !== BOX && values.length !== BOX + 1) return polygonOf(label, values);
  const [x, y, width, height] = values as [number, number, number, number];
  const box: BoxNumbers = [x - width / 2, y - height / 2, width, height];
  const confidence = values.length === (isPose ? ofPose : BOX) + 1 ? { confidence: values.at(-1)! } : {};
  const named = skeletons.find((each) => each.label === label)?.points.length ?? Infinity;
  const keypoints = isPose ? withoutFurther(pointsIn(values.slice(BOX, ofPose), points![1]), named) : [];
  // All lines of poses have points; those of a plain box are 0.
  const marked = keypoints.some((value) => value !== 0) ? { keypoints } : {};
  return { label, box, ...marked, ...confidence, unit: 'fractions' };
}

/** After an even number of coordinates there may be a confidence. */
function polygonOf(label: string, values: readonly number[]): FileAnnotation | { readonly fault: string } {
  const isEven = values.length % 2 === 0;
  const ring = isEven ? values : values.slice(0, -1);
  if (ring.length < 6) return { fault: `${values.length} values are neither a box nor a segment` };
  return { label, polygon: [ring], ...(!isEven && { confidence: values.at(-1)! }), unit: 'fractions' };
}

/** Points without a visibility are visible. */
function pointsIn(values: readonly number[], each: number): number[] {
  const points: number[] = [];
  for (let at = 0; at + 1 < values.length; at += each)
    points.push(values[at]!, values[at + 1]!, each > 2 ? values[at + 2]! : 2);
  return points;
}

/** All classes have as many points: those after the named ones are 0. */
const withoutFurther = (keypoints: readonly number[], named: number): readonly number[] =>
  keypoints.slice(TRIPLE * named).some((value) => value !== 0) ? keypoints : keypoints.slice(0, TRIPLE * named);
