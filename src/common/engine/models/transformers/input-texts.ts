import type { PreTrainedTokenizer } from '@huggingface/transformers';
import { z } from 'zod';
import { ModelError } from '../model-error';
import { firstLine } from '../onnx-session';
import type { HuggingFaceFolder } from './hugging-face-folder';
import type { Inputs } from './named-outputs';

type Library = typeof import('@huggingface/transformers');

/** Longer texts are truncated before tokenization; no supported model reads more characters. */
export const MAX_CHARACTERS = 4000;
/** The time and memory of a text grow with the square of its tokens. */
const MAX_TOKENS = 512;

const textLimits = z.object({
  model_type: z.string().catch(''),
  text_config: z.object({ max_position_embeddings: z.int().min(1).optional() }).catch({}),
});

const truncationSchema = z.object({ truncation: z.object({ max_length: z.int().min(2) }).nullish() });

/** Python omits defaults of the architecture from config.json. */
function longestText(config: unknown): number {
  const { model_type, text_config } = textLimits.parse(config);
  return text_config.max_position_embeddings ?? (model_type.startsWith('siglip') ? 64 : 77);
}

/** An input for models whose graph also computes a text when only pictures are requested. */
export const anyText = (): Promise<Inputs> => textInputs([[0]]);

async function textInputs(
  rows: readonly (readonly number[])[],
  lengths = rows.map((row) => row.length),
): Promise<Inputs> {
  const { Tensor } = await import('onnxruntime-node');
  const width = rows[0]!.length;
  const dims = [rows.length, width];
  const mask = rows.flatMap((row, at) => row.map((_, place) => (place < lengths[at]! ? 1n : 0n)));
  // All tokens belong to the first of the two texts that models like BERT accept.
  const types = new BigInt64Array(rows.length * width);
  return {
    input_ids: new Tensor('int64', BigInt64Array.from(rows.flat(), BigInt), dims),
    attention_mask: new Tensor('int64', BigInt64Array.from(mask), dims),
    token_type_ids: new Tensor('int64', types, dims),
  };
}

const SETTINGS = 'tokenizer_config.json';

/** Throws ModelError if the tokenizer in the folder is invalid. */
export async function openTokenizer(folder: HuggingFaceFolder, settings?: object): Promise<PreTrainedTokenizer> {
  const content = await folder.json('tokenizer.json');
  settings ??= await folder.json(SETTINGS);
  const { PreTrainedTokenizer: Tokenizer } = await transformersLibrary();
  try {
    return new Tokenizer(content, settings);
  } catch (error) {
    throw new ModelError(`The tokenizer in ${folder.path} can't be used: ${firstLine(error)}.`);
  }
}

/** Converts texts to inputs of a text encoder, using the tokenizer in the folder. */
export class InputTexts {
  private constructor(
    private readonly tokenizer: PreTrainedTokenizer,
    private readonly most: number,
  ) {}

  static async open(folder: HuggingFaceFolder): Promise<InputTexts> {
    const tokenizer = await openTokenizer(folder);
    const longest = longestText(await folder.json('config.json'));
    return new InputTexts(tokenizer, Math.min(longest, Number(tokenizer.model_max_length)));
  }

  /** For a model of texts alone, which needs no file besides tokenizer.json: a single text is not padded. */
  static async openAlone(folder: HuggingFaceFolder): Promise<InputTexts> {
    const tokenizer = await openTokenizer(folder, (await folder.has(SETTINGS)) ? undefined : {});
    const { data } = truncationSchema.safeParse(await folder.json('tokenizer.json'));
    const truncated = data?.truncation?.max_length ?? MAX_TOKENS;
    return new InputTexts(tokenizer, Math.min(MAX_TOKENS, truncated, Number(tokenizer.model_max_length)));
  }

  private get padding(): number {
    // The types of the library do not include that a tokenizer may have none.
    const { pad_token_id } = this.tokenizer as { readonly pad_token_id: number | undefined };
    return pad_token_id ?? 0;
  }

  /** Models without an attention mask were trained on texts padded to the full length. */
  async inputs(texts: readonly string[], hasMask: boolean): Promise<Inputs> {
    const rows = texts.map((text) => this.idsOf(text));
    const width = hasMask ? Math.max(...rows.map((row) => row.length)) : this.most;
    const filled = rows.map((row) => [...row, ...Array<number>(width - row.length).fill(this.padding)]);
    return textInputs(
      filled,
      rows.map((row) => row.length),
    );
  }

  /** Truncates here, because the library drops the end token, whose output is CLIP's vector of the text. */
  private idsOf(text: string): number[] {
    const ids = this.tokenizer.encode(text.slice(0, MAX_CHARACTERS));
    return ids.length <= this.most ? ids : [...ids.slice(0, this.most - 1), ids.at(-1)!];
  }
}

interface LabelTexts {
  readonly labels: readonly string[];
  readonly texts: Inputs;
}

/** Throws ModelError if there are no labels. Labels are inserted into the sentence that such models were trained with. */
export async function labelTexts(
  folder: HuggingFaceFolder,
  labels: readonly string[] | undefined,
  inputNames: readonly string[],
): Promise<LabelTexts> {
  if (labels === undefined)
    throw new ModelError(`The model ${folder.modelId} requires labels to look for. Add labels to its manifest.`);
  const inputTexts = await InputTexts.open(folder);
  const sentences = labels.map((label) => `a photo of a ${label}`);
  return { labels, texts: await inputTexts.inputs(sentences, inputNames.includes('attention_mask')) };
}

/** Loaded on demand, only for models that need its tokenizers or text generation: it takes 35 MB and a quarter of a second. */
export async function transformersLibrary(): Promise<Library> {
  const library = await import('@huggingface/transformers');
  const { env, LogLevel } = library;
  // Prevents downloads (ADR 7).
  env.allowRemoteModels = false;
  env.useFSCache = false;
  env.logLevel = LogLevel.NONE;
  return library;
}
