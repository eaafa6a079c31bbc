import { directionOf, type ImageEmbedding } from '../image-embedding';
import type { Pixels } from '../pixels';
import { EmbeddingSession } from './embedding-session';
import type { HuggingFaceFolder } from './hugging-face-folder';
import { anyText } from './input-texts';
import type { PicturePreparation } from './picture-preparation';
import { batches, pictureTensor } from './picture-tensors';

/** In order of preference. A sequence of vectors begins with that of the class token. */
export const IMAGE_OUTPUTS = ['image_embeds', 'pooler_output', 'last_hidden_state'];

/** An encoder such as DINOv2, or the image side of CLIP or SigLIP. */
export class TransformersImageEncoder implements ImageEmbedding {
  private constructor(
    private readonly folder: HuggingFaceFolder,
    private readonly session: EmbeddingSession,
    private readonly preparation: PicturePreparation,
    readonly dimension: number,
  ) {}

  static async open(folder: HuggingFaceFolder, dimension: number): Promise<TransformersImageEncoder> {
    const preparation = await folder.preparation();
    const opened = await folder.session('vision_model', 'model');
    const session = new EmbeddingSession(opened, IMAGE_OUTPUTS, { id: folder.modelId, dimension });
    return new TransformersImageEncoder(folder, session, preparation, dimension);
  }

  async embed(pictures: readonly Pixels[]): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const batch of batches(pictures, this.preparation)) {
      const pixel_values = await pictureTensor(batch);
      vectors.push(...(await this.session.vectors({ ...(await anyText()), pixel_values })));
    }
    return vectors.map(directionOf);
  }

  close(): Promise<void> {
    return this.folder.close();
  }
}
