import type { PreTrainedModel, PreTrainedTokenizer, Tensor } from '@huggingface/transformers';
import { z } from 'zod';
import { ModelError } from '../model-error';
import { firstLine, SESSION_OPTIONS, unusableBy } from '../onnx-session';
import { PictureRefusedError, type LocalPictureModel, type Pixels } from '../picture-model';
import type { HuggingFaceFolder } from './hugging-face-folder';
import { openTokenizer, transformersLibrary } from './input-texts';
import type { PicturePreparation } from './picture-preparation';

const ARCHITECTURE = 'vision-encoder-decoder';
const architectureSchema = z.object({ model_type: z.string() });

/** An image encoder and a text decoder, such as ViT-GPT2. The library generates the text word by word. */
export class TransformersCaptioner
  implements LocalPictureModel<'CAPTION_IMAGES'>, LocalPictureModel<'CAPTION_OBJECTS'>
{
  readonly runsIn = 'child';

  private constructor(
    private readonly model: PreTrainedModel,
    private readonly tokenizer: PreTrainedTokenizer,
    private readonly preparation: PicturePreparation,
  ) {}

  static async open(folder: HuggingFaceFolder): Promise<TransformersCaptioner> {
    const preparation = await folder.preparation();
    const config = await folder.json('config.json');
    const architecture = architectureSchema.safeParse(config).data?.model_type ?? '(none)';
    if (architecture !== ARCHITECTURE) {
      throw new ModelError(
        `The model ${folder.modelId} is of the architecture ${architecture}, which cannot caption. Supported is ${ARCHITECTURE}.`,
      );
    }
    const tokenizer = await openTokenizer(folder);
    const subfolder = await folder.subfolderOf('encoder_model', 'decoder_model_merged');
    const { AutoModelForVision2Seq } = await transformersLibrary();
    try {
      const model = await AutoModelForVision2Seq.from_pretrained(folder.path, {
        config: config as never,
        subfolder,
        dtype: 'fp32',
        device: folder.device,
        local_files_only: true,
        session_options: SESSION_OPTIONS,
      });
      return new TransformersCaptioner(model, tokenizer, preparation);
    } catch (error) {
      if (folder.device !== 'cpu')
        throw new ModelError(`The model in ${folder.path} ${unusableBy(folder.device, error)}`);
      throw new ModelError(`The model in ${folder.path} can't be used: ${firstLine(error)}.`);
    }
  }

  get longestSide(): number {
    return this.preparation.longestSide;
  }

  async apply(pictures: readonly Pixels[]): Promise<{ caption: string }[]> {
    const findings: { caption: string }[] = [];
    for (const picture of pictures) findings.push({ caption: await this.captionOf(picture) });
    return findings;
  }

  /** One at a time: in a batch, the library continues finished texts until all have ended. */
  async generate(values: Float32Array, dims: readonly number[]): Promise<number[]> {
    const library = await transformersLibrary();
    const pixel_values = new library.Tensor('float32', values, [...dims]);
    // The library does not support beams; without them, Python returns the same text.
    const generated = await this.model.generate({ pixel_values, num_beams: 1, do_sample: false });
    const [row] = (generated as Tensor).tolist() as bigint[][];
    return row!.map(Number);
  }

  async close(): Promise<void> {
    await this.model.dispose();
  }

  private async captionOf(picture: Pixels): Promise<string> {
    const { values, width, height } = this.preparation.prepare(picture);
    const tokens = await this.generate(values, [1, 3, height, width]);
    const caption = this.tokenizer.decode(tokens, { skip_special_tokens: true }).trim();
    if (caption === '') throw new PictureRefusedError('The model returned an empty caption.');
    return caption;
  }
}
