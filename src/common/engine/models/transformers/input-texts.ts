import type { PreTrainedTokenizer } from '@huggingface/transformers';
import { z } from 'zod';
import { ModelError } from '../model-error';
import type { Inputs } from './embedding-session';
import { firstLine, type HuggingFaceFolder } from './hugging-face-folder';
import { transformersLibrary } from './transformers-library';

/** Longer texts are cut before they are tokenized: no model here reads as many characters. */
const MAX_CHARACTERS = 4000;

const textLimits = z.object({
  text_config: z.object({ max_position_embeddings: z.int().min(1).default(77) }).prefault({}),
});

/** For models whose graph also computes a text when only pictures are asked for. */
export const anyText = (): Promise<Inputs> => textInputs([[0]]);

async function textInputs(
  rows: readonly (readonly number[])[],
  lengths = rows.map((row) => row.length),
): Promise<Inputs> {
  const { Tensor } = await import('onnxruntime-node');
  const width = rows[0]!.length;
  const dims = [rows.length, width];
  const mask = rows.flatMap((row, at) => row.map((_, place) => (place < lengths[at]! ? 1n : 0n)));
  return {
    input_ids: new Tensor('int64', BigInt64Array.from(rows.flat(), BigInt), dims),
    attention_mask: new Tensor('int64', BigInt64Array.from(mask), dims),
  };
}

/** Turns texts into the inputs of a text encoder, by the tokenizer of the folder. */
export class InputTexts {
  private constructor(
    private readonly tokenizer: PreTrainedTokenizer,
    private readonly most: number,
  ) {}

  static async open(folder: HuggingFaceFolder): Promise<InputTexts> {
    const [content, settings] = [await folder.json('tokenizer.json'), await folder.json('tokenizer_config.json')];
    const limits = textLimits.safeParse(await folder.json('config.json'));
    const { PreTrainedTokenizer } = await transformersLibrary();
    try {
      const tokenizer = new PreTrainedTokenizer(content, settings);
      const most = limits.data?.text_config.max_position_embeddings ?? 77;
      return new InputTexts(tokenizer, Math.min(most, Number(tokenizer.model_max_length)));
    } catch (error) {
      throw new ModelError(`The tokenizer in ${folder.path} can't be used: ${firstLine(error)}.`);
    }
  }

  private get padding(): number {
    // The library's types leave out that a tokenizer may have none.
    return (this.tokenizer.pad_token_id as number | undefined) ?? 0;
  }

  /** Models without a mask of attention were trained on texts that are filled up to the full length. */
  async inputs(texts: readonly string[], hasMask: boolean): Promise<Inputs> {
    const rows = texts.map((text) => this.idsOf(text));
    const width = hasMask ? Math.max(...rows.map((row) => row.length)) : this.most;
    const filled = rows.map((row) => [...row, ...Array<number>(width - row.length).fill(this.padding)]);
    return textInputs(
      filled,
      rows.map((row) => row.length),
    );
  }

  /** The library's own truncation drops the end token, from which CLIP reads the text's vector. */
  private idsOf(text: string): number[] {
    const ids = this.tokenizer.encode(text.slice(0, MAX_CHARACTERS));
    return ids.length <= this.most ? ids : [...ids.slice(0, this.most - 1), ids.at(-1)!];
  }
}
