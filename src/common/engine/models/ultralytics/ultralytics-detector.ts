import { join } from 'node:path';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { MAX_FOUND, surest, withoutOverlaps, type BoxLimits, type Candidate } from '../candidate-boxes';
import { LetterboxedDetector, supportedSize, type DetectorForm } from '../letterboxed-detector';
import { ModelError } from '../model-error';
import { plainText } from '../../../platform/text/texts';
import { readFileMetadata, pythonNames } from './file-metadata';
import type { InputSize } from '../resizing/letterbox';
import type { UltralyticsManifest } from '../onnx-manifests';

type Row = [left: number, top: number, right: number, bottom: number, confidence: number, label: number];

/** The default of Ultralytics, for files that accept pictures of any size. */
const DEFAULT_SIZE: InputSize = { width: 640, height: 640 };
const MAX_LABEL = 200;

/** Pictures up to this side are scaled once, exactly like in Ultralytics. */
const UNSCALED_SIDE = 2048;

export interface UltralyticsModel {
  readonly folder: string;
  readonly manifest: UltralyticsManifest;
}

/** A detector as exported by `yolo export format=onnx`. */
export async function openUltralytics(model: UltralyticsModel): Promise<LetterboxedDetector> {
  const labels = await labelsOf(model.folder, model.manifest);
  return LetterboxedDetector.open(model, (session) => formOf(session, model.manifest, labels));
}

function formOf(session: InferenceSession, manifest: UltralyticsManifest, labels: readonly string[]): DetectorForm {
  const output = session.outputNames[0]!;
  return {
    longestSide: UNSCALED_SIDE,
    input: sizeOf(session, manifest),
    white: 1,
    outputs: [output],
    candidatesIn: (found) => candidatesIn(found[output]!, manifest, labels.length),
    labelOf: (label) => labelOf(label, labels, manifest),
  };
}

function candidatesIn({ data, dims, type }: Tensor, manifest: UltralyticsManifest, count: number): Candidate[] {
  const { id } = manifest;
  if (!(data instanceof Float32Array))
    throw new ModelError(`The model ${id} returned ${type}, not float32. Export it again without half precision.`);
  const [batch, rows, last] = dims;
  if (dims.length === 3 && batch === 1) {
    if (last === 6) return fromRows(data, manifest);
    if (rows === 4 + count) return fromScores(data, count, last!, manifest);
  }
  throw new ModelError(
    `The model ${id} returned the shape [${dims.join(', ')}]; with its ${count} labels [1, ${4 + count}, boxes] or [1, boxes, 6] is expected. Export it for the task detect with Ultralytics, or correct "labels" in its manifest.`,
  );
}

function labelOf(number: number, labels: readonly string[], { id }: UltralyticsManifest): string {
  const label = labels[number];
  if (label === undefined)
    throw new ModelError(
      `The model ${id} found an object of the class ${number}, but has ${labels.length} labels. Correct "labels" in its manifest.`,
    );
  return label;
}

/** Throws ModelError if neither the manifest nor the file has labels. */
async function labelsOf(folder: string, { id, files, labels }: UltralyticsManifest): Promise<readonly string[]> {
  const metadata = await readFileMetadata(join(folder, files.model));
  const task = metadata.get('task') ?? 'detect';
  if (task !== 'detect')
    throw new ModelError(`The file ${files.model} of model ${id} is for the task ${task}. Only detect is supported.`);
  const names = labels ?? pythonNames(metadata.get('names') ?? '')?.map((name) => plainText(name, MAX_LABEL));
  if (names === undefined)
    throw new ModelError(
      `The file ${files.model} of model ${id} does not name its classes. Add "labels" to its manifest, in the order of the classes.`,
    );
  return names;
}

/** Throws ModelError if the session does not belong to a detector. */
function sizeOf(session: InferenceSession, { id, preprocessing }: UltralyticsManifest): InputSize {
  const [input, second] = session.inputMetadata;
  if (input?.isTensor !== true || second !== undefined || input.shape.length !== 4)
    throw new ModelError(`The model ${id} does not take one picture [1, 3, height, width], so it cannot be used.`);
  if (input.type !== 'float32')
    throw new ModelError(`The model ${id} takes ${input.type}, not float32. Export it again without half precision.`);
  const [batch, channels, height, width] = input.shape;
  if ((typeof batch === 'number' && batch !== 1) || (typeof channels === 'number' && channels !== 3))
    throw new ModelError(
      `The model ${id} takes [${input.shape.join(', ')}], not one picture of three channels. Export it again with batch=1.`,
    );
  if (typeof width !== 'number' || typeof height !== 'number') return preprocessing ?? DEFAULT_SIZE;
  if (preprocessing !== undefined && (preprocessing.width !== width || preprocessing.height !== height))
    throw new ModelError(
      `The model ${id} takes pictures of ${width} x ${height}, not ${preprocessing.width} x ${preprocessing.height}. Remove "preprocessing" from its manifest.`,
    );
  return supportedSize(id, width, height);
}

/**
 * From an output `[1, 4 + labels, count]`: the centres, widths and heights of all boxes, then the scores of each label. Boxes with non-finite numbers
 * are ignored.
 */
export function fromScores(
  data: Float32Array,
  labels: number,
  count: number,
  { threshold, iou }: BoxLimits,
): Candidate[] {
  const candidates: Candidate[] = [];
  for (let at = 0; at < count; at++) {
    let [label, confidence] = [0, threshold];
    for (let each = 0; each < labels; each++) {
      const score = data[(4 + each) * count + at]!;
      if (score > confidence) [label, confidence] = [each, score];
    }
    if (!(confidence > threshold)) continue;
    const [x, y] = [data[at]!, data[count + at]!];
    const [width, height] = [data[2 * count + at]! / 2, data[3 * count + at]! / 2];
    candidates.push({ label, confidence, corners: [x - width, y - height, x + width, y + height] });
  }
  return withoutOverlaps(candidates, iou);
}

/** From an output `[1, count, 6]` of a model with built-in suppression: two corners, the score and the number of the label. */
export function fromRows(data: Float32Array, { threshold }: BoxLimits): Candidate[] {
  const candidates: Candidate[] = [];
  for (let at = 0; at < data.length; at += 6) {
    const [left, top, right, bottom, confidence, label] = data.subarray(at, at + 6) as unknown as Row;
    if (confidence > threshold) candidates.push({ label, confidence, corners: [left, top, right, bottom] });
  }
  return surest(candidates, MAX_FOUND);
}
