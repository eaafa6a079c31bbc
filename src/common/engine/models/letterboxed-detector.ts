import type { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Candidate } from './candidate-boxes';
import { ModelError } from './model-error';
import type { ModelDevice } from './model-manifest';
import { openSession } from './onnx-session';
import type { FoundObject, LocalPictureModel, Pixels } from './picture-model';
import { Letterbox, type InputSize } from './resizing/letterbox';

const MIN_SIDE = 32;
const MAX_SIDE = 2048;

interface DetectorFile {
  readonly folder: string;
  readonly manifest: { readonly files: { readonly model: string }; readonly device: ModelDevice };
}

/** What a kind of detector takes and returns. */
export interface DetectorForm {
  /** Of the picture that is scaled to the input. */
  readonly longestSide: number;
  readonly input: InputSize;
  /** The value of a white pixel in the input. */
  readonly white: number;
  readonly outputs: readonly string[];
  candidatesIn(found: Readonly<Record<string, Tensor>>): Candidate[];
  labelOf(label: number): string;
}

/** A detector in one long-lived session that processes one letterboxed picture at a time. */
export class LetterboxedDetector implements LocalPictureModel<'OBJECT_DETECTION'> {
  readonly runsIn = 'child';

  private constructor(
    private readonly session: InferenceSession,
    private readonly form: DetectorForm,
  ) {}

  /** Throws ModelError, also where `formOf` finds that the session does not belong to such a detector. */
  static async open(
    { folder, manifest: { files, device } }: DetectorFile,
    formOf: (session: InferenceSession) => DetectorForm,
  ): Promise<LetterboxedDetector> {
    const session = await openSession(folder, files.model, { device });
    try {
      return new LetterboxedDetector(session, formOf(session));
    } catch (error) {
      await session.release();
      throw error;
    }
  }

  get longestSide(): number {
    return this.form.longestSide;
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
    const { Tensor: InputTensor } = await import('onnxruntime-node');
    const { form, session } = this;
    const letterbox = Letterbox.of(picture, form.input, form.white);
    const input = new InputTensor('float32', letterbox.values, [1, 3, form.input.height, form.input.width]);
    const found = await session.run({ [session.inputNames[0]!]: input }, form.outputs);
    return form.candidatesIn(found).flatMap(({ label, confidence, corners }) => {
      const box = letterbox.boxOf(corners);
      return box === undefined ? [] : [{ label: form.labelOf(label), confidence: Math.min(1, confidence), box }];
    });
  }
}

type Length = number | string | undefined;

const isSide = (length: Length): length is number =>
  typeof length === 'number' && length >= MIN_SIDE && length <= MAX_SIDE;

/** Throws ModelError if the input of a model has no size, or is too small or too large. */
export function supportedSize(id: string, width: Length, height: Length): InputSize {
  if (isSide(width) && isSide(height)) return { width, height };
  throw new ModelError(
    `The model ${id} takes pictures of ${width} x ${height}; ${MIN_SIDE} to ${MAX_SIDE} pixels are supported.`,
  );
}
