import { shapeKindOf } from '../annotations/annotation';
import { joined } from './convert-shapes';
import type { FileAnnotation, FilePicture } from './file-picture';

/** A JSON list of what pictures present, streamed. */
export async function* jsonList(
  batches: AsyncIterable<readonly FilePicture[]>,
  present: (picture: FilePicture) => readonly object[],
): AsyncGenerator<Buffer> {
  let before = '[';
  for await (const batch of batches) {
    const text = batch.flatMap((picture) => present(picture).map((each) => JSON.stringify(each))).join(',');
    if (text === '') continue;
    yield Buffer.from(before + text);
    before = ',';
  }
  yield Buffer.from(before === '[' ? '[]' : ']');
}

const TRIPLE = 3;

/** x, y and visibility of each point. */
export const pointsOf = (keypoints: readonly number[]): (readonly [x: number, y: number, visibility: number])[] =>
  Array.from({ length: keypoints.length / TRIPLE }, (_, point) => [
    keypoints[TRIPLE * point]!,
    keypoints[TRIPLE * point + 1]!,
    keypoints[TRIPLE * point + 2]!,
  ]);

/** The only ring of a polygon that was fitted to a format with one. */
export const ringOf = ({ polygon }: FileAnnotation): readonly number[] => joined(polygon!);

/** Pairs of x and y. */
export const pairsOf = (ring: readonly number[]): (readonly [x: number, y: number])[] =>
  Array.from({ length: ring.length / 2 }, (_, at) => [ring[2 * at]!, ring[2 * at + 1]!]);

export const labelsOf = ({ annotations }: FilePicture): FileAnnotation[] =>
  annotations.filter((annotation) => shapeKindOf(annotation) === 'label');

export const shapesOf = ({ annotations }: FilePicture): FileAnnotation[] =>
  annotations.filter((annotation) => shapeKindOf(annotation) !== 'label');
