import type { IncomingHttpHeaders } from 'node:http';

export interface StubLabel {
  readonly label: string;
  readonly confidence?: number;
}

export interface StubObject extends StubLabel {
  /** Left, top, right and bottom, in the unit of the manifest. */
  readonly box: readonly number[];
}

/** A request of a client, in either protocol. */
export interface StubRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The JSON fields, for tests of one protocol. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly model: string;
  /** Empty if the request has none. */
  readonly prompt: string;
  /** The JPEG; empty if the request has none. */
  readonly picture: Buffer;
}

/** The results of the model for a picture. */
export interface StubFindings {
  caption(request: StubRequest): string;
  labels(request: StubRequest): readonly StubLabel[];
  objects(request: StubRequest): readonly StubObject[];
  embedding(request: StubRequest): readonly number[] | Promise<readonly number[]>;
  /** The embedding of a text, which is the prompt of the request. */
  textEmbedding(request: StubRequest): readonly number[];
}

type Fields = Record<string, unknown>;

interface ChatFields {
  readonly model: string;
  readonly messages?: readonly [{ readonly content: readonly { image_url?: { url: string }; text?: string }[] }];
  /** The input in requests without messages. */
  readonly input?: string;
  readonly response_format?: { readonly json_schema: { readonly name: string } };
}

interface TensorFields {
  readonly name: string;
  readonly datatype: string;
  readonly data?: readonly string[];
  readonly parameters?: { readonly binary_data_size: number };
}

interface InferFields {
  readonly inputs: readonly TensorFields[];
  readonly outputs: readonly { readonly name: string }[];
}

export function parseRequest(path: string, headers: IncomingHttpHeaders, body: Buffer): StubRequest {
  const jsonLength = Number(headers['inference-header-content-length'] ?? body.length);
  const fields = JSON.parse(body.toString('utf8', 0, jsonLength)) as Fields;
  const read = path.startsWith('/v2/')
    ? ofInference(path, fields as unknown as InferFields, body.subarray(jsonLength))
    : ofChat(fields as unknown as ChatFields);
  return { path, headers, fields, ...read };
}

function ofChat({ model, messages, input = '' }: ChatFields): Pick<StubRequest, 'model' | 'prompt' | 'picture'> {
  const parts = messages?.[0].content ?? [{ text: input }];
  const address = parts.find(({ image_url: image }) => image !== undefined)?.image_url!.url ?? '';
  const prompt = parts.find(({ text }) => text !== undefined)?.text ?? '';
  return { model, prompt, picture: Buffer.from(address.slice(address.indexOf(',') + 1), 'base64') };
}

function ofInference(
  path: string,
  { inputs }: InferFields,
  binary: Buffer,
): Pick<StubRequest, 'model' | 'prompt' | 'picture'> {
  const model = decodeURIComponent(path.split('/')[3]!);
  if (inputs.length === 1 && inputs[0]!.name === 'text')
    return { model, prompt: inputs[0]!.data![0]!, picture: Buffer.alloc(0) };
  const [image, text] = inputs;
  const [base64] = image!.data ?? [];
  const bytes = image!.datatype === 'BYTES' ? binary.subarray(4) : binary;
  const picture = base64 === undefined ? bytes : Buffer.from(base64, 'base64');
  return { model, prompt: text?.data?.[0] ?? '', picture };
}

/** The response of a server that has a model of each type. */
export async function answerTo(request: StubRequest, findings: StubFindings): Promise<object> {
  if (request.path.startsWith('/v2/')) return inference(request, findings);
  if (request.path.endsWith('/embeddings'))
    return { data: [{ index: 0, embedding: await vectorOf(request, findings) }], usage: { prompt_tokens: 7 } };
  const text = chatContent(request, findings);
  return {
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 10 },
  };
}

const vectorOf = async (request: StubRequest, findings: StubFindings): Promise<readonly number[]> =>
  request.picture.length === 0 ? findings.textEmbedding(request) : findings.embedding(request);

function chatContent(request: StubRequest, findings: StubFindings): string {
  const { response_format: format } = request.fields as unknown as ChatFields;
  switch (format?.json_schema.name) {
    case 'labels':
      return JSON.stringify({ labels: findings.labels(request) });
    case 'objects':
      return JSON.stringify({
        objects: findings.objects(request).map(({ box, ...rest }) => ({ ...rest, bbox_2d: box })),
      });
    default:
      return findings.caption(request);
  }
}

async function inference(request: StubRequest, findings: StubFindings): Promise<object> {
  const { outputs } = request.fields as unknown as InferFields;
  const names = outputs.map(({ name }) => name);
  const labelled = names.includes('boxes') ? findings.objects(request) : findings.labels(request);
  const valueOf: Readonly<Record<string, () => readonly unknown[] | Promise<readonly unknown[]>>> = {
    caption: () => [findings.caption(request)],
    labels: () => labelled.map(({ label }) => label),
    classes: () => labelled.map(({ label }) => Number(label)),
    scores: () => labelled.map(({ confidence }) => confidence ?? 1),
    boxes: () => findings.objects(request).map(({ box }) => box),
    embedding: async () => [await vectorOf(request, findings)],
  };
  return {
    model_name: request.model,
    outputs: await Promise.all(
      names.map(async (name) => {
        const data = await valueOf[name]!();
        const datatype = name === 'caption' || name === 'labels' ? 'BYTES' : name === 'classes' ? 'INT64' : 'FP32';
        return { name, datatype, shape: [data.length], data };
      }),
    ),
  };
}
