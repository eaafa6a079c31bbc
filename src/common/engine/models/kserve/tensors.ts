import { z } from 'zod';
import { UnreadableAnswerError } from '../servers/model-server-errors';

/** Data may be flat or nested by its shape. */
const MAX_NESTING = 8;

const inferAnswer = z.object({
  outputs: z.array(z.object({ name: z.string(), data: z.array(z.unknown()) })),
});

const numbers = z.array(z.number());
const texts = z.array(z.string());

/** The outputs of one inference. */
export class Tensors {
  private constructor(private readonly outputs: ReadonlyMap<string, readonly unknown[]>) {}

  static parse(body: string): Tensors {
    const { success, data } = inferAnswer.safeParse(parsedJson(body));
    if (!success) throw new UnreadableAnswerError('is not an inference response');
    return new Tensors(new Map(data.outputs.map(({ name, data: values }) => [name, values])));
  }

  numbers(name: string): number[] {
    return this.read(name, numbers, 'numbers');
  }

  texts(name: string): string[] {
    return this.read(name, texts, 'texts');
  }

  private read<Value>(name: string, schema: z.ZodType<Value>, kind: string): Value {
    const values = this.outputs.get(name);
    if (values === undefined) throw new UnreadableAnswerError(`has no output "${name}"`);
    const { success, data } = schema.safeParse((values as unknown[]).flat(MAX_NESTING));
    if (!success) throw new UnreadableAnswerError(`has other values than ${kind} in the output "${name}"`);
    return data;
  }
}

function parsedJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new UnreadableAnswerError('is not JSON');
  }
}
