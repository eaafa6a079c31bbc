import type { InferenceSession } from 'onnxruntime-node';
import { ModelError } from '../model-error';
import { NamedOutputs, type Inputs } from './named-outputs';

/** A session of which one output is one vector for each row of its input. */
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

  /** The vectors as the model computes them. Of a sequence, the first one, which is that of the class token. */
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

const anyOf = (names: readonly string[]): string =>
  names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} or ${names.at(-1)!}`;
