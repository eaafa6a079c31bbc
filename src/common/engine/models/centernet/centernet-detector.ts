import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { withoutOverlaps, type BoxLimits, type Candidate } from '../candidate-boxes';
import { ModelError } from '../model-error';
import { openSession } from '../onnx-session';
import type { FoundObject, LocalPictureModel, Pixels } from '../picture-model';
import { Letterbox, type InputSize } from '../resizing/letterbox';
import type { CenterNetManifest } from './centernet-manifest';

const MIN_SIDE = 32;
const MAX_SIDE = 2048;

export interface CenterNetModel {
  readonly folder: string;
  readonly manifest: CenterNetManifest;
}

/** A detector that gives a score for each label at each point of a grid, and there the distances to the edges of the object. */
export class CenterNetDetector implements LocalPictureModel<'OBJECT_DETECTION'> {
  readonly runsIn = 'child';

  private constructor(
    private readonly session: InferenceSession,
    private readonly manifest: CenterNetManifest,
    private readonly size: InputSize,
  ) {}

  static async open({ folder, manifest }: CenterNetModel): Promise<CenterNetDetector> {
    const session = await openSession(folder, manifest.files.model, { device: manifest.device });
    try {
      return new CenterNetDetector(session, manifest, sizeOf(session, manifest));
    } catch (error) {
      await session.release();
      throw error;
    }
  }

  get longestSide(): number {
    return 2 * Math.max(this.size.width, this.size.height);
  }

  async apply(pictures: readonly Pixels[]): Promise<{ objects: FoundObject[] }[]> {
    const findings: { objects: FoundObject[] }[] = [];
    for (const picture of pictures) findings.push({ objects: await this.objectsIn(picture) });
    return findings;
  }

  async close(): Promise<void> {
    await this.session.release();
  }

  private async objectsIn(picture: Pixels): Promise<FoundObject[]> {
    const { Tensor } = await import('onnxruntime-node');
    const { width, height } = this.size;
    const letterbox = Letterbox.of(picture, this.size, 255);
    const input = new Tensor('float32', letterbox.values, [1, 3, height, width]);
    const found = await this.session.run({ [this.session.inputNames[0]!]: input }, ['peaks', 'sizes']);
    const { labels } = this.manifest;
    const grid = this.gridIn(found['peaks']!, found['sizes']!);
    return fromPeaks(grid, this.manifest).flatMap(({ label, confidence, corners }) => {
      const box = letterbox.boxOf(corners);
      return box === undefined ? [] : [{ label: labels[label]!, confidence: Math.min(1, confidence), box }];
    });
  }

  private gridIn(peaks: Tensor, sizes: Tensor): Grid {
    const { id, labels } = this.manifest;
    const [, , rows, columns] = peaks.dims;
    if (
      !(peaks.data instanceof Float32Array && sizes.data instanceof Float32Array) ||
      !isShape(peaks, [1, labels.length, rows, columns]) ||
      !isShape(sizes, [1, 4, rows, columns])
    )
      throw new ModelError(
        `The model ${id} returned peaks of ${peaks.type} [${peaks.dims.join(', ')}] and sizes of ${sizes.type} [${sizes.dims.join(', ')}]; with its ${labels.length} labels float32 [1, ${labels.length}, rows, columns] and [1, 4, rows, columns] are expected. Correct "labels" in its manifest.`,
      );
    const step = { x: this.size.width / columns!, y: this.size.height / rows! };
    return { peaks: peaks.data, sizes: sizes.data, columns: columns!, points: rows! * columns!, step };
  }
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
  if (typeof width !== 'number' || typeof height !== 'number' || !isSide(width) || !isSide(height))
    throw new ModelError(
      `The model ${id} takes pictures of ${width} x ${height}; ${MIN_SIDE} to ${MAX_SIDE} pixels are supported.`,
    );
  return { width, height };
}

const isSide = (length: number): boolean => length >= MIN_SIDE && length <= MAX_SIDE;

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
