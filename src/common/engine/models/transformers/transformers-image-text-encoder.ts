import { ModelError } from '../model-error';
import { PictureRefusedError, type LocalPictureModel, type TextSide } from '../picture-model';
import type { Pixels } from '../pixels';
import { unitVector } from '../unit-vector';
import { EmbeddingSession } from './embedding-session';
import type { HuggingFaceFolder } from './hugging-face-folder';
import { anyText, InputTexts } from './input-texts';
import type { Inputs } from './named-outputs';
import type { PicturePreparation } from './picture-preparation';
import { batches, pictureTensor } from './picture-tensors';
import { IMAGE_OUTPUTS } from './transformers-image-encoder';

const TEXT_OUTPUTS = ['text_embeds', 'pooler_output'];
const TEXT_BATCH = 32;

/** CLIP, SigLIP and their kin: in two files, or in one file that computes both sides at each run. */
export class TransformersImageTextEncoder implements LocalPictureModel<'MULTIMODEL_IMAGE_ENCODING'>, TextSide {
  readonly runsIn = 'child';

  private constructor(
    private readonly folder: HuggingFaceFolder,
    private readonly images: EmbeddingSession,
    private readonly texts: EmbeddingSession,
    private readonly preparation: PicturePreparation,
    private readonly inputTexts: InputTexts,
  ) {}

  static async open(folder: HuggingFaceFolder, dimension: number): Promise<TransformersImageTextEncoder> {
    const preparation = await folder.preparation();
    const inputTexts = await InputTexts.open(folder);
    const expected = { id: folder.modelId, dimension };
    const isSplit = (await folder.find('text_model')) !== undefined;
    const opened = await folder.session(isSplit ? 'vision_model' : 'model');
    const images = new EmbeddingSession(opened, IMAGE_OUTPUTS, expected);
    const textSide = isSplit ? await folder.session('text_model') : opened;
    const texts = new EmbeddingSession(textSide, TEXT_OUTPUTS, expected);
    return new TransformersImageTextEncoder(folder, images, texts, preparation, inputTexts);
  }

  get longestSide(): number {
    return this.preparation.longestSide;
  }

  async apply(pictures: readonly Pixels[]): Promise<{ embedding: Float32Array }[]> {
    const vectors: Float32Array[] = [];
    for (const batch of batches(pictures, this.preparation)) {
      const pixel_values = await pictureTensor(batch);
      vectors.push(...(await this.images.vectors({ ...(await anyText()), pixel_values })));
    }
    return vectors.map((vector) => {
      const embedding = unitVector(vector);
      if (embedding === null) throw new PictureRefusedError('The model returned zeros or NaN for the picture.');
      return { embedding };
    });
  }

  async embedTexts(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    const hasMask = this.texts.inputNames.includes('attention_mask');
    const picture = await this.anyPicture();
    for (let first = 0; first < texts.length; first += TEXT_BATCH) {
      const inputs = await this.inputTexts.inputs(texts.slice(first, first + TEXT_BATCH), hasMask);
      vectors.push(...(await this.texts.vectors({ ...picture, ...inputs })));
    }
    return vectors.map((vector) => {
      const embedding = unitVector(vector);
      if (embedding === null) throw new ModelError('The model returned zeros or NaN for a text.');
      return embedding;
    });
  }

  close(): Promise<void> {
    return this.folder.close();
  }

  /** For models whose graph also computes a picture when only texts are asked for. */
  private async anyPicture(): Promise<Inputs> {
    if (!this.texts.inputNames.includes('pixel_values')) return {};
    const grey = { data: new Uint8Array(3 * 64 * 64).fill(128), width: 64, height: 64 };
    return { pixel_values: await pictureTensor([this.preparation.prepare(grey)]) };
  }
}
