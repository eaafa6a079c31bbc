import { z } from 'zod';
import { WeightsRefusedError } from '../packages/converter';

const MAX_GRAPH_BYTES = 16 * 1024 * 1024;
const MAX_NODES = 1_000;
const MAX_RANK = 4;
const MAX_LENGTH = 1 << 20;

const name = z.string().min(1).max(1_000);
const integer = z.union([z.int(), z.string().min(1).max(20).transform(Number).pipe(z.int())]);
const base64Text = z
  .string()
  .max(1_000)
  .transform((value) => Buffer.from(value, 'base64').toString('latin1'));

const attribute = z.object({
  i: integer.optional(),
  s: base64Text.optional(),
  b: z.boolean().optional(),
  list: z.object({ i: z.array(integer).max(16).optional(), s: z.array(base64Text).max(16).optional() }).optional(),
  shape: z
    .object({
      dim: z
        .array(z.object({ size: integer }))
        .max(MAX_RANK)
        .optional(),
    })
    .optional(),
});

const node = z.object({
  name,
  op: z.string().max(100),
  input: z.array(name).max(100).default([]),
  attr: z.record(z.string(), attribute).default({}),
});

const weight = z.object({
  name,
  shape: z.array(z.int().min(1).max(MAX_LENGTH)).max(MAX_RANK),
  dtype: z.string().max(20),
  quantization: z.object({ dtype: z.string().max(20) }).optional(),
});

const graphModel = z.object({
  format: z.literal('graph-model'),
  modelTopology: z.object({ node: z.array(node).max(MAX_NODES) }),
  weightsManifest: z.array(z.object({ weights: z.array(weight).max(MAX_NODES) })).max(100),
});

export type GraphNode = z.infer<typeof node>;

const BYTES = { float32: 4, int32: 4, float16: 2 } as const;

export interface GraphWeights {
  readonly shape: readonly number[];
  /** `float16` is how numbers of float32 are stored. */
  readonly element: keyof typeof BYTES;
  /** Little-endian, in the order of the shape. */
  readonly bytes: Uint8Array;
}

/** A graph in the format of TensorFlow.js. */
export interface GraphModel {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** By the name of the constant node. */
  readonly weights: ReadonlyMap<string, GraphWeights>;
}

/** Reads `model.json` and its file of weights. Throws WeightsRefusedError if they are damaged or not supported. */
export function readGraphModel(json: Buffer, numbers: Buffer): GraphModel {
  const { modelTopology, weightsManifest } = parsed(json);
  const weights = new Map<string, GraphWeights>();
  let end = 0;
  for (const { name: of, shape, ...type } of weightsManifest.flatMap((group) => group.weights)) {
    const element = elementOf(of, type);
    const start = end;
    end += shape.reduce((product, length) => product * length, BYTES[element]);
    weights.set(of, { shape, element, bytes: numbers.subarray(start, end) });
  }
  if (end !== numbers.length)
    throw new WeightsRefusedError(
      `The weights of the TensorFlow.js graph have ${numbers.length} bytes instead of ${end}, so a file is damaged.`,
    );
  return { nodes: new Map(modelTopology.node.map((each) => [each.name, each])), weights };
}

function parsed(json: Buffer): z.infer<typeof graphModel> {
  if (json.length > MAX_GRAPH_BYTES)
    throw new WeightsRefusedError(
      `The TensorFlow.js graph has ${json.length} bytes; up to ${MAX_GRAPH_BYTES} are supported.`,
    );
  const { data, error } = graphModel.safeParse(contentOf(json));
  if (data !== undefined) return data;
  const { path, message } = error.issues[0]!;
  throw new WeightsRefusedError(`The TensorFlow.js graph is damaged at ${path.join('.') || 'its start'}: ${message}.`);
}

function contentOf(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString('utf8'));
  } catch {
    throw new WeightsRefusedError('The TensorFlow.js graph is not JSON, so the file is damaged.');
  }
}

type WeightType = Pick<z.infer<typeof weight>, 'dtype' | 'quantization'>;

function elementOf(of: string, { dtype, quantization }: WeightType): GraphWeights['element'] {
  if (dtype === 'float32' && quantization?.dtype === 'float16') return 'float16';
  if ((dtype === 'float32' || dtype === 'int32') && quantization === undefined) return dtype;
  const type = quantization === undefined ? dtype : `${dtype} stored as ${quantization.dtype}`;
  throw new WeightsRefusedError(
    `The weights ${of} of the TensorFlow.js graph are ${type}; float32, float16 and int32 are supported.`,
  );
}
