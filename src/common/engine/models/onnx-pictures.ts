import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { ModelError } from './model-error';
import type { ModelDevice } from './model-manifest';
import type { OnnxManifest } from './onnx-manifests';
import { openSession, SESSION_OPTIONS } from './onnx-session';
import type { Pixels } from './picture-model';
import { resizeByArea } from './resizing/resize-by-area';

const BATCH = 32;

type Onnx = typeof import('onnxruntime-node');

/** The fields of a manifest that say how its ONNX file takes pictures. */
interface PictureManifest {
  readonly id: string;
  readonly files: { readonly model: string };
  readonly preprocessing: OnnxManifest['preprocessing'];
  readonly optimisation: OnnxManifest['optimisation'];
  readonly device: ModelDevice;
}

/** One output of an ONNX file that takes pictures. One long-lived session, because opening and closing sessions leaks memory. */
export class OnnxPictures {
  private constructor(
    private readonly onnx: Onnx,
    private readonly manifest: PictureManifest,
    private readonly session: InferenceSession,
    private readonly output: string,
  ) {}

  static async open(folder: string, manifest: PictureManifest, output: string): Promise<OnnxPictures> {
    const options = { ...SESSION_OPTIONS, graphOptimizationLevel: manifest.optimisation };
    const session = await openSession(folder, manifest.files.model, { device: manifest.device, options });
    const {
      id,
      preprocessing: { input },
    } = manifest;
    if (!session.inputNames.includes(input) || !session.outputNames.includes(output)) {
      await session.release();
      throw new ModelError(`The file of model ${id} has no input ${input} or no output ${output}.`);
    }
    return new OnnxPictures(await import('onnxruntime-node'), manifest, session, output);
  }

  /** The numbers of each picture. Throws ModelError if there are not as many as expected. */
  async numbersOf(pictures: readonly Pixels[], expected: number): Promise<Float32Array[]> {
    const numbers: Float32Array[] = [];
    for (let first = 0; first < pictures.length; first += BATCH)
      numbers.push(...(await this.ofBatch(pictures.slice(first, first + BATCH), expected)));
    return numbers;
  }

  async close(): Promise<void> {
    await this.session.release();
  }

  private async ofBatch(pictures: readonly Pixels[], expected: number): Promise<Float32Array[]> {
    const { preprocessing, id } = this.manifest;
    const results = await this.session.run({ [preprocessing.input]: this.tensorOf(pictures) }, [this.output]);
    const data = (await results[this.output]!.getData()) as Float32Array;
    if (data.length !== pictures.length * expected)
      throw new ModelError(`The model ${id} returned ${data.length / pictures.length} numbers, not ${expected}.`);
    return pictures.map((_, at) => data.slice(at * expected, (at + 1) * expected));
  }

  private tensorOf(pictures: readonly Pixels[]): Tensor {
    const { width, height, type, layout, fit } = this.manifest.preprocessing;
    const shape = layout === 'NHWC' ? [pictures.length, height, width, 3] : [pictures.length, 3, height, width];
    const size = width * height * 3;
    const values = type === 'uint8' ? new Uint8Array(pictures.length * size) : new Float32Array(pictures.length * size);
    for (const [at, picture] of pictures.entries()) {
      const { data } = resizeByArea(fit === 'cover' ? middle(picture, width / height) : picture, width, height);
      this.write(data, values.subarray(at * size, (at + 1) * size));
    }
    const { Tensor } = this.onnx;
    return values instanceof Uint8Array ? new Tensor('uint8', values, shape) : new Tensor('float32', values, shape);
  }

  private write(pixels: Uint8Array, target: Uint8Array | Float32Array): void {
    const { layout, type, mean, std } = this.manifest.preprocessing;
    if (layout === 'NHWC' && type === 'uint8') {
      target.set(pixels);
      return;
    }
    const planes = layout === 'NCHW';
    const plane = pixels.length / 3;
    for (let pixel = 0, at = 0; pixel < plane; pixel++) {
      for (let channel = 0; channel < 3; channel++, at++) {
        const value = type === 'uint8' ? pixels[at]! : (pixels[at]! / 255 - mean[channel]!) / std[channel]!;
        target[planes ? channel * plane + pixel : at] = value;
      }
    }
  }
}

/** The largest centred rectangle with this aspect ratio. */
function middle({ data, width, height }: Pixels, proportion: number): Pixels {
  const cutWidth = Math.max(1, Math.min(width, Math.round(height * proportion)));
  const cutHeight = Math.max(1, Math.min(height, Math.round(width / proportion)));
  const left = (width - cutWidth) >> 1;
  const top = (height - cutHeight) >> 1;
  const cut = new Uint8Array(cutWidth * cutHeight * 3);
  for (let y = 0; y < cutHeight; y++) {
    const from = ((top + y) * width + left) * 3;
    cut.set(data.subarray(from, from + cutWidth * 3), y * cutWidth * 3);
  }
  return { data: cut, width: cutWidth, height: cutHeight };
}
