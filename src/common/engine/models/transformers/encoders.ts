import type { InferenceSession } from 'onnxruntime-node';
import { ModelError } from '../model-error';
import { NamedOutputs, type Inputs } from './named-outputs';
import { directionOf, type ImageEmbedding, unitVector } from '../embedding';
import { type Pixels, PictureRefusedError, type LocalPictureModel, type TextSide } from '../picture-model';
import type { HuggingFaceFolder } from './hugging-face-folder';
import { anyText, InputTexts } from './input-texts';
import { type PicturePreparation, batches, pictureTensor } from './picture-preparation';

/** A session with an output of one vector per row of its input. */
export class EmbeddingSession {
  private readonly outputs: NamedOutputs<string>;
  private readonly output: string;

  /** Throws ModelError if the session has none of these outputs. */
  constructor(
    session: InferenceSession,
    outputs: readonly string[],
    private readonly model: { readonly id: string; readonly dimension: number },
  ) {
    this.output = outputs.find((name) => session.outputNames.includes(name)) ?? anyOf(outputs);
    this.outputs = new NamedOutputs(session, [this.output], model.id);
  }

  get inputNames(): readonly string[] {
    return this.outputs.inputNames;
  }

  /** Returns the raw vectors. For a sequence output, the first vector, which belongs to the class token. */
  async vectors(inputs: Inputs): Promise<Float32Array[]> {
    const { data, dims } = (await this.outputs.run(inputs))[this.output]!;
    const [rows, dimension] = [dims[0]!, dims.at(-1)!];
    if (dimension !== this.model.dimension) {
      throw new ModelError(
        `The model ${this.model.id} returned vectors of ${dimension} numbers, not of ${this.model.dimension} as its manifest says.`,
      );
    }
    const step = data.length / rows;
    return Array.from({ length: rows }, (_, row) => data.slice(row * step, row * step + dimension));
  }
}

/** In order of preference. A sequence starts with the vector of the class token. */
export const IMAGE_OUTPUTS = ['image_embeds', 'pooler_output', 'last_hidden_state'];

/** An encoder such as DINOv2, or the image encoder of CLIP or SigLIP. */
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

const TEXT_OUTPUTS = ['text_embeds', 'pooler_output'];
const TEXT_BATCH = 32;

/** CLIP, SigLIP and similar models: in two files, or in one file that computes both sides on each run. */
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

  /** An input for models whose graph also computes a picture when only texts are requested. */
  private async anyPicture(): Promise<Inputs> {
    if (!this.texts.inputNames.includes('pixel_values')) return {};
    const grey = { data: new Uint8Array(3 * 64 * 64).fill(128), width: 64, height: 64 };
    return { pixel_values: await pictureTensor([this.preparation.prepare(grey)]) };
  }
}

const anyOf = (names: readonly string[]): string =>
  names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} or ${names.at(-1)!}`;
