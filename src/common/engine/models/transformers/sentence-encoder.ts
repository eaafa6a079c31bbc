import { unitVector } from '../embedding';
import { ModelError } from '../model-error';
import { foldText, STOP_WORDS, wordsOf } from '../text-words';
import type { HuggingFaceFolder } from './hugging-face-folder';
import { InputTexts, MAX_CHARACTERS } from './input-texts';
import { NamedOutputs } from './named-outputs';

/** In order of preference. The first is the vector of the text, the others have a vector for each token. */
const OUTPUTS = ['sentence_embedding', 'last_hidden_state', 'token_embeddings'] as const;

/** A text encoder such as MiniLM: the mean of the vectors of all tokens. */
export class SentenceEncoder {
  private constructor(
    private readonly folder: HuggingFaceFolder,
    private readonly outputs: NamedOutputs<string>,
    private readonly output: string,
    private readonly inputTexts: InputTexts,
    private readonly dimension: number,
  ) {}

  static async open(folder: HuggingFaceFolder, dimension: number): Promise<SentenceEncoder> {
    const inputTexts = await InputTexts.openAlone(folder);
    const session = await folder.session('model');
    const output = OUTPUTS.find((name) => session.outputNames.includes(name)) ?? OUTPUTS[1];
    const outputs = new NamedOutputs(session, [output], folder.modelId);
    return new SentenceEncoder(folder, outputs, output, inputTexts, dimension);
  }

  /** Unit vectors; null for a text without meaningful words. */
  async embed(texts: readonly string[]): Promise<(Float32Array | null)[]> {
    const vectors: (Float32Array | null)[] = [];
    // One at a time, because models with quantised weights return another vector for a text beside other texts (ADR 30).
    for (const text of texts) vectors.push(hasMeaning(text) ? await this.embedOne(text) : null);
    return vectors;
  }

  close(): Promise<void> {
    return this.folder.close();
  }

  private async embedOne(text: string): Promise<Float32Array> {
    const { data, dims } = (await this.outputs.run(await this.inputTexts.inputs([text], true)))[this.output]!;
    const found = dims.at(-1)!;
    if (found !== this.dimension)
      throw new ModelError(
        `The model ${this.folder.modelId} returned vectors of ${found} numbers, not of ${this.dimension} as its manifest says.`,
      );
    const sum = new Float32Array(found);
    for (let at = 0; at < data.length; at++) sum[at % found]! += data[at]!;
    const vector = unitVector(sum);
    if (vector === null) throw new ModelError(`The model ${this.folder.modelId} returned zeros or NaN for a text.`);
    return vector;
  }
}

const hasMeaning = (text: string): boolean =>
  wordsOf(foldText(text.slice(0, MAX_CHARACTERS))).some((word) => !STOP_WORDS.has(word));
