import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { withoutOverlaps, type BoxLimits, type Candidate } from '../candidate-boxes';
import { LetterboxedDetector, supportedSize, type DetectorForm } from '../letterboxed-detector';
import { ModelError } from '../model-error';
import type { InputSize } from '../resizing/letterbox';
import type { CenterNetManifest } from './centernet-manifest';

export interface CenterNetModel {
  readonly folder: string;
  readonly manifest: CenterNetManifest;
}

/** A detector that gives a score for each label at each point of a grid, and there the distances to the edges of the object. */
export const openCenterNet = (model: CenterNetModel): Promise<LetterboxedDetector> =>
  LetterboxedDetector.open(model, (session) => formOf(session, model.manifest));

function formOf(session: InferenceSession, manifest: CenterNetManifest): DetectorForm {
  const input = sizeOf(session, manifest);
  return {
    longestSide: 2 * Math.max(input.width, input.height),
    input,
    white: 255,
    outputs: ['peaks', 'sizes'],
    candidatesIn: ({ peaks, sizes }) => fromPeaks(gridOf(peaks!, sizes!, input, manifest), manifest),
    labelOf: (label) => manifest.labels[label]!,
  };
}

function gridOf(peaks: Tensor, sizes: Tensor, { width, height }: InputSize, { id, labels }: CenterNetManifest): Grid {
  const [, , rows, columns] = peaks.dims;
  if (
    !(peaks.data instanceof Float32Array && sizes.data instanceof Float32Array) ||
    !isShape(peaks, [1, labels.length, rows, columns]) ||
    !isShape(sizes, [1, 4, rows, columns])
  )
    throw new ModelError(
      `The model ${id} returned peaks of ${peaks.type} [${peaks.dims.join(', ')}] and sizes of ${sizes.type} [${sizes.dims.join(', ')}]; with its ${labels.length} labels float32 [1, ${labels.length}, rows, columns] and [1, 4, rows, columns] are expected. Correct "labels" in its manifest.`,
    );
  const step = { x: width / columns!, y: height / rows! };
  return { peaks: peaks.data, sizes: sizes.data, columns: columns!, points: rows! * columns!, step };
}

const isShape = ({ dims }: Tensor, shape: readonly (number | undefined)[]): boolean =>
  dims.length === shape.length && dims.every((length, axis) => length === shape[axis]);

/** Throws ModelError if the session does not belong to such a detector. */
function sizeOf({ inputMetadata, outputNames }: InferenceSession, { id }: CenterNetManifest): InputSize {
  if (!['peaks', 'sizes'].every((name) => outputNames.includes(name)))
    throw new ModelError(`The model ${id} has the outputs ${outputNames.join(', ')}, but not peaks and sizes.`);
  const [input, second] = inputMetadata;
  const [batch, channels, height, width] = input?.isTensor === true ? input.shape : [];
  const isPicture = input?.isTensor === true && input.type === 'float32' && input.shape.length === 4;
  if (!isPicture || second !== undefined || batch !== 1 || channels !== 3)
    throw new ModelError(`The model ${id} does not take one picture as float32 [1, 3, height, width].`);
  return supportedSize(id, width, height);
}

export interface Grid {
  /** A plane of scores for each label: 0 wherever a neighbour has a higher one. */
  readonly peaks: Float32Array;
  /** Four planes: the distances from a point to the left, top, right and bottom edge, in pixels of the input. */
  readonly sizes: Float32Array;
  readonly columns: number;
  readonly points: number;
  /** Between two points, in pixels of the input. */
  readonly step: { readonly x: number; readonly y: number };
}

/** By descending confidence. */
export function fromPeaks({ peaks, sizes, columns, points, step }: Grid, { threshold, iou }: BoxLimits): Candidate[] {
  const candidates: Candidate[] = [];
  for (let at = 0; at < peaks.length; at++) {
    const confidence = peaks[at]!;
    if (!(confidence > threshold)) continue;
    const point = at % points;
    const [x, y] = [(point % columns) * step.x, Math.floor(point / columns) * step.y];
    const [left, top] = [x - sizes[point]!, y - sizes[points + point]!];
    const [right, bottom] = [x + sizes[2 * points + point]!, y + sizes[3 * points + point]!];
    if (right > left && bottom > top)
      candidates.push({ label: Math.floor(at / points), confidence, corners: [left, top, right, bottom] });
  }
  return withoutOverlaps(candidates, iou);
}
