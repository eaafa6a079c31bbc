import { z } from 'zod';
import { PictureRefusedError, TextRefusedError } from '../picture-model';
import type { ModelServer } from '../servers/model-server';
import type { KserveSettings } from './kserve-manifest';
import { UnreadableAnswerError } from '../servers/model-server-errors';

/** Data may be flat or nested according to its shape. */
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

interface TextInput {
  readonly name: string;
  readonly text: string;
}

interface InferRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

const JSON_CONTENT = { 'content-type': 'application/json' };

/** A request with a text only. */
export const textRequest = (
  settings: Pick<KserveSettings, 'input'>,
  text: TextInput,
  output: string,
): InferRequest => ({
  headers: JSON_CONTENT,
  body: JSON.stringify({ inputs: [bytesInput(settings, text)], outputs: [{ name: output }] }),
});

/** One model at a server with the KServe v2 protocol over HTTP. */
export class KserveEndpoint {
  private readonly path: string;
  private isReady = false;

  constructor(
    private readonly server: ModelServer,
    { model, version }: { readonly model: string; readonly version?: string | undefined },
  ) {
    const ofVersion = version === undefined ? '' : `/versions/${encodeURIComponent(version)}`;
    this.path = `v2/models/${encodeURIComponent(model)}${ofVersion}`;
  }

  async infer<T>(
    about: 'picture' | 'text',
    request: InferRequest,
    read: (tensors: Tensors) => T,
    signal: AbortSignal,
  ): Promise<T> {
    // Some servers return 400 for an unknown model, as they do for a picture that they refuse.
    if (!this.isReady) await this.assertReady(signal);
    try {
      return await this.server.ask(
        { method: 'POST', path: `${this.path}/infer`, ...request, about },
        (body) => read(Tensors.parse(body)),
        signal,
      );
    } catch (error) {
      this.isReady &&= error instanceof PictureRefusedError || error instanceof TextRefusedError;
      throw error;
    }
  }

  private async assertReady(signal: AbortSignal): Promise<void> {
    const request = { method: 'GET', path: `${this.path}/ready`, about: 'model' } as const;
    await this.server.ask(request, () => undefined, signal);
    this.isReady = true;
  }
}

/** A request with a picture, and optionally with a text. */
export function inferRequest(
  settings: KserveSettings,
  jpeg: Uint8Array,
  outputs: readonly string[],
  text?: TextInput,
): InferRequest {
  const { name, form } = settings.input;
  const shaped = (length: number): number[] => shapeOf(settings, length);
  const textInputs = text === undefined ? [] : [bytesInput(settings, text)];
  const withPicture = (picture: object): string =>
    JSON.stringify({
      inputs: [{ name, ...picture }, ...textInputs],
      outputs: outputs.map((each) => ({ name: each })),
    });
  if (form === 'base64') {
    const data = [Buffer.from(jpeg).toString('base64')];
    const body = withPicture({ datatype: 'BYTES', shape: shaped(1), data });
    return { headers: JSON_CONTENT, body };
  }
  const binary = form === 'bytes' ? Buffer.concat([lengthOf(jpeg), jpeg]) : jpeg;
  const json = Buffer.from(
    withPicture({
      ...(form === 'bytes'
        ? { datatype: 'BYTES', shape: shaped(1) }
        : { datatype: 'UINT8', shape: shaped(jpeg.length) }),
      parameters: { binary_data_size: binary.length },
    }),
  );
  return {
    headers: {
      'content-type': 'application/octet-stream',
      'inference-header-content-length': `${json.length}`,
    },
    body: Buffer.concat([json, binary]),
  };
}

/** In a binary BYTES tensor, each element is preceded by its length. */
function lengthOf(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return length;
}

function parsedJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new UnreadableAnswerError('is not JSON');
  }
}

const shapeOf = ({ input: { batched } }: Pick<KserveSettings, 'input'>, length: number): number[] =>
  batched ? [1, length] : [length];

const bytesInput = (settings: Pick<KserveSettings, 'input'>, { name, text }: TextInput): object => ({
  name,
  datatype: 'BYTES',
  shape: shapeOf(settings, 1),
  data: [text],
});
