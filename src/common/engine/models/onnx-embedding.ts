import { directionOf, type ImageEmbedding } from './embedding';
import type { OnnxManifest } from './onnx-manifests';
import { OnnxPictures } from './onnx-pictures';
import type { Pixels } from './picture-model';

export interface OnnxModel {
  readonly folder: string;
  readonly manifest: OnnxManifest;
}

export class OnnxEmbedding implements ImageEmbedding {
  private constructor(
    private readonly model: OnnxPictures,
    readonly dimension: number,
  ) {}

  static async open({ folder, manifest }: OnnxModel): Promise<OnnxEmbedding> {
    const { embedding, dimension } = manifest.outputs;
    return new OnnxEmbedding(await OnnxPictures.open(folder, manifest, embedding), dimension);
  }

  async embed(pictures: readonly Pixels[]): Promise<Float32Array[]> {
    return (await this.model.numbersOf(pictures, this.dimension)).map(directionOf);
  }

  async close(): Promise<void> {
    await this.model.close();
  }
}
