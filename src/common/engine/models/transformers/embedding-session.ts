import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { ModelError } from '../model-error';

export type Inputs = Readonly<Record<string, Tensor>>;

/** A session of which one output is one vector for each row of its input. */
export class EmbeddingSession {
  private readonly output: string;

  /** Throws ModelError if the session has none of these outputs. */
  constructor(
    private readonly session: InferenceSession,
    outputs: readonly string[],
    private readonly model: { readonly id: string; readonly dimension: number },
  ) {
    const output = outputs.find((name) => session.outputNames.includes(name));
    if (output === undefined) {
      throw new ModelError(
        `The model ${model.id} has none of the outputs ${outputs.join(', ')}, but ${session.outputNames.join(', ')}, so it is no such encoder.`,
      );
    }
    this.output = output;
  }

  get inputNames(): readonly string[] {
    return this.session.inputNames;
  }

  /** The vectors as the model computes them. Of a sequence, the first one, which is that of the class token. */
  async vectors(inputs: Inputs): Promise<Float32Array[]> {
    const missing = this.session.inputNames.filter((name) => !(name in inputs));
    if (missing.length > 0)
      throw new ModelError(
        `The model ${this.model.id} requires the input ${missing.join(', ')}, which is not supported.`,
      );
    const feeds = Object.fromEntries(this.session.inputNames.map((name) => [name, inputs[name]!]));
    const { [this.output]: found } = await this.session.run(feeds, [this.output]);
    const { data, dims } = found!;
    const dimension = dims.at(-1)!;
    if (!(data instanceof Float32Array) || dimension !== this.model.dimension) {
      throw new ModelError(
        `The model ${this.model.id} returned ${dimension} numbers of type ${found!.type}, not ${this.model.dimension} of float32.`,
      );
    }
    const [rows, step] = [dims[0]!, data.length / dims[0]!];
    return Array.from({ length: rows }, (_, row) => data.slice(row * step, row * step + dimension));
  }
}
