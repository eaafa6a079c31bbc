import { ringOfEllipse } from '../convert-shapes';
import type { FileAnnotation, FilePicture, FrameNumber, Skeleton } from '../file-picture';
import type { FromFile } from '../from-file';
import type { Members } from '../given-files';
import { defined, objectOf, textOf, type JsonObject } from '../json-values';
import type { AttributeValue, Mask } from '../../annotations/annotation';
import { stemOf } from '../member-texts';
import { coveredSpans } from '../mask-lines';
import { maskOfPart } from '../mask-rows';
import { childrenOf, elementsIn } from '../xml-elements';
import { skeletonsIn } from './read-skeletons';

const SHAPES = ['box', 'polygon', 'points', 'mask', 'tag', 'polyline', 'cuboid', 'ellipse', 'skeleton'] as const;
const FRAME_DIGITS = 6;

type Read = FileAnnotation | { readonly fault: string };

/** CVAT's XML 1.1 of images, and of tracks, whose frames have the names that CVAT exports them with, or are those of a video. */
export async function* readCvat(members: Members): AsyncGenerator<FromFile> {
  for await (const member of members()) {
    const { name: file } = member;
    if (!/\.xml$/i.test(file)) continue;
    let video: Video = { of: stemOf(file) };
    let skeletons: readonly Skeleton[] = [];
    for await (const found of elementsIn(member, ['meta', 'image', 'track'])) {
      const { name, line } = found;
      if ('fault' in found) {
        yield { fault: { file, line, field: name, message: found.fault } };
        continue;
      }
      const { element } = found;
      if (name === 'meta') {
        const task = objectOf(element['task'] ?? element['job'] ?? element['project']);
        video = { ...video, ...videoIn(task) };
        skeletons = skeletonsIn(task);
        if (skeletons.length > 0) yield { path: '', annotations: [], skeletons, from: { file } };
        continue;
      }
      for (const { read, ...picture } of name === 'image'
        ? ofImage(element, skeletons)
        : ofTrack(element, video, skeletons))
        yield 'fault' in read
          ? { fault: { file, line, field: name, message: read.fault } }
          : { ...picture, annotations: [read], from: { file, line } };
    }
  }
}

type OfPicture = Pick<FilePicture, 'path' | 'frame'> & { readonly read: Read };

function* ofImage(image: JsonObject, skeletons: readonly Skeleton[]): Generator<OfPicture> {
  for (const shape of SHAPES)
    for (const each of childrenOf(image, shape))
      yield { path: textOf(image['@name']), read: annotationOf(shape, each, textOf(each['@label']), skeletons, image) };
}

type Video = Omit<FrameNumber, 'number'>;

/** The video of a task, and how many frames it has if all of it was annotated. */
function videoIn({ source, size, stop_frame: last }: JsonObject): Partial<Video> {
  const total = numberIn(last) + 1 || numberIn(size);
  return { ...(textOf(source) !== '' && { of: textOf(source) }), ...(total > 0 && { total }) };
}

function* ofTrack(track: JsonObject, video: Video, skeletons: readonly Skeleton[]): Generator<OfPicture> {
  for (const shape of SHAPES)
    for (const each of childrenOf(track, shape)) {
      if (each['@outside'] === '1') continue;
      const path = `frame_${textOf(each['@frame']).padStart(FRAME_DIGITS, '0')}`;
      const frame = { ...video, number: numberIn(each['@frame']) };
      const read = annotationOf(shape, each, textOf(track['@label']), skeletons);
      yield { path, frame, read: 'fault' in read ? read : { ...read, trackId: textOf(track['@id']) } };
    }
}

function annotationOf(
  shape: (typeof SHAPES)[number],
  element: JsonObject,
  label: string,
  skeletons: readonly Skeleton[],
  image: JsonObject = {},
): Read {
  const common = defined({ label, attributes: attributesIn(element) });
  const number = (name: string): number => numberIn(element[`@${name}`]);
  switch (shape) {
    case 'tag':
      return common;
    case 'box': {
      const [left, top] = [number('xtl'), number('ytl')];
      const box = [left, top, difference(number('xbr'), left), difference(number('ybr'), top)] as const;
      const rotation = element['@rotation'] === undefined ? 0 : number('rotation');
      return { ...common, box, ...(rotation !== 0 && { rotation }) };
    }
    case 'polygon':
      return { ...common, polygon: [pointsIn(element).flat()] };
    case 'points':
      return { ...common, keypoints: pointsIn(element).flatMap(([x = NaN, y = NaN]) => [x, y, 2]) };
    case 'skeleton': {
      const names = skeletons.find((each) => each.label === label)?.points ?? [];
      return { ...common, keypoints: pointsOf(element, names) };
    }
    case 'ellipse': {
      const turned = element['@rotation'] === undefined ? 0 : number('rotation');
      return { ...common, polygon: [ringOfEllipse(number('cx'), number('cy'), number('rx'), number('ry'), turned)] };
    }
    case 'mask': {
      const mask = maskIn(element, image);
      return mask === undefined ? { fault: 'a mask is not inside its picture' } : { ...common, mask };
    }
    default:
      return { fault: `a ${shape} is not read` };
  }
}

/** In the order of their names; those that are left out before the last are not labelled. */
function pointsOf(skeleton: JsonObject, names: readonly string[]): number[] {
  const points = childrenOf(skeleton, 'points');
  const places = points.map((point) => names.indexOf(textOf(point['@label'])));
  if (places.includes(-1) || new Set(places).size < places.length) return points.flatMap(pointOf);
  const inOrder = Array.from({ length: Math.max(-1, ...places) + 1 }, () => [0, 0, 0]);
  for (const [at, place] of places.entries()) inOrder[place] = pointOf(points[at]!);
  return inOrder.flat();
}

function pointOf(element: JsonObject): number[] {
  const [[x = NaN, y = NaN] = []] = pointsIn(element);
  const visibility = element['@outside'] === '1' ? 0 : element['@occluded'] === '1' ? 1 : 2;
  return [x, y, visibility];
}

const pointsIn = (element: JsonObject): number[][] =>
  textOf(element['@points'])
    .split(';')
    .map((point) => point.split(',').map(Number));

function attributesIn(element: JsonObject): Record<string, AttributeValue> | undefined {
  const named = childrenOf(element, 'attribute').map((each): [string, AttributeValue] => [
    textOf(each['@name']),
    valueOf(textOf(each['#text'])),
  ]);
  if (element['@occluded'] === '1') named.unshift(['occluded', true]);
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

function valueOf(text: string): AttributeValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && String(Number(text)) === text ? Number(text) : text;
}

/** Run lengths in rows of a part of the picture become those in columns of the whole. */
function maskIn(element: JsonObject, image: JsonObject): Mask | undefined {
  const number = (of: JsonObject, name: string): number => numberIn(of[`@${name}`]);
  const sizeOf = (of: JsonObject) => ({ width: number(of, 'width'), height: number(of, 'height') });
  const part = { left: number(element, 'left'), top: number(element, 'top'), ...sizeOf(element) };
  const runs = textOf(element['@rle']).split(',').map(Number);
  const isWhole =
    runs.every((run) => Number.isInteger(run) && run >= 0) &&
    runs.reduce((sum, run) => sum + run, 0) <= part.width * part.height;
  return isWhole ? maskOfPart(coveredSpans(runs), part, sizeOf(image)) : undefined;
}

const difference = (a: number, b: number): number => Number((a - b).toPrecision(12));

const numberIn = (value: unknown): number => (textOf(value).trim() === '' ? NaN : Number(textOf(value)));
