import type { KserveSettings } from './kserve-manifest';

interface TextInput {
  readonly name: string;
  readonly text: string;
}

export interface InferRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

const JSON_CONTENT = { 'content-type': 'application/json' };

const shapeOf = ({ input: { batched } }: Pick<KserveSettings, 'input'>, length: number): number[] =>
  batched ? [1, length] : [length];

const bytesInput = (settings: Pick<KserveSettings, 'input'>, { name, text }: TextInput): object => ({
  name,
  datatype: 'BYTES',
  shape: shapeOf(settings, 1),
  data: [text],
});

/** A request with a text alone. */
export const textRequest = (
  settings: Pick<KserveSettings, 'input'>,
  text: TextInput,
  output: string,
): InferRequest => ({
  headers: JSON_CONTENT,
  body: JSON.stringify({ inputs: [bytesInput(settings, text)], outputs: [{ name: output }] }),
});

/** A request with a picture, and with a text if there is one. */
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

/** Each element of a binary BYTES tensor follows its length. */
function lengthOf(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return length;
}
