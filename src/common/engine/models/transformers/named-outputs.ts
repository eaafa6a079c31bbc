import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { ModelError } from '../model-error';

export type Inputs = Readonly<Record<string, Tensor>>;

interface Output {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** A session with float32 outputs of these names. */
export class NamedOutputs<Name extends string> {
  /** Throws ModelError if an output is missing. */
  constructor(
    private readonly session: InferenceSession,
    private readonly names: readonly Name[],
    private readonly modelId: string,
  ) {
    const missing = names.filter((name) => !session.outputNames.includes(name));
    if (missing.length > 0) {
      throw new ModelError(
        `The model ${modelId} has no output ${missing.join(', ')}, but ${session.outputNames.join(', ')}, so it cannot be used for this type.`,
      );
    }
  }

  get inputNames(): readonly string[] {
    return this.session.inputNames;
  }

  async run(inputs: Inputs): Promise<Readonly<Record<Name, Output>>> {
    const missing = this.session.inputNames.filter((name) => !(name in inputs));
    if (missing.length > 0)
      throw new ModelError(
        `The model ${this.modelId} requires the input ${missing.join(', ')}, which is not supported.`,
      );
    const feeds = Object.fromEntries(this.session.inputNames.map((name) => [name, inputs[name]!]));
    const found = await this.session.run(feeds, this.names);
    const outputs = this.names.map((name) => {
      const { data, dims, type } = found[name]!;
      if (!(data instanceof Float32Array))
        throw new ModelError(`The model ${this.modelId} returned ${name} as ${type}, not as float32.`);
      return [name, { data, dims }] as const;
    });
    return Object.fromEntries(outputs) as Record<Name, Output>;
  }
}
