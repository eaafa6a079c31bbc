import { Random } from './random';

/** Pieces of Python's pickle format, protocol 2, as torch writes them. */
export const pickled = {
  text: (value: string): Buffer =>
    Buffer.concat([Buffer.from('X'), uint32(Buffer.byteLength(value)), Buffer.from(value)]),
  integer: (value: number): Buffer => Buffer.concat([Buffer.from('J'), int32(value)]),
  tuple: (...items: readonly Buffer[]): Buffer => Buffer.concat([Buffer.from('('), ...items, Buffer.from('t')]),
  global: (module: string, name: string): Buffer => Buffer.from(`c${module}\n${name}\n`),
  call: (callable: Buffer, args: Buffer): Buffer => Buffer.concat([callable, args, Buffer.from('R')]),
  items: (dict: Buffer, ...items: readonly Buffer[]): Buffer =>
    Buffer.concat([dict, Buffer.from('('), ...items, Buffer.from('u')]),
  file: (value: Buffer): Buffer => Buffer.concat([Buffer.of(0x80, 2), value, Buffer.from('.')]),
};

const { text, integer, tuple, global, call, items, file } = pickled;

export interface MadeTensor {
  readonly shape: readonly number[];
  /** The numbers of the storage. */
  readonly values: readonly number[] | Float32Array;
  readonly offset?: number;
  readonly strides?: readonly number[];
}

const MAGIC = Buffer.concat([Buffer.of(0x8a, 10), Buffer.from('6cfc9c46f9206aa85019', 'hex')]);
const TRUE = Buffer.of(0x88);
const [NONE, EMPTY_TUPLE, EMPTY_DICT] = [Buffer.from('N'), Buffer.from(')'), Buffer.from('}')];
const ordered = (): Buffer => call(global('collections', 'OrderedDict'), EMPTY_TUPLE);

/** A state dict as torch wrote it before version 1.6, with a storage for each tensor. */
export function torchFile(tensors: Readonly<Record<string, MadeTensor>>): Buffer {
  const all = Object.entries(tensors);
  const state = items(ordered(), ...all.flatMap(([name, tensor], at) => [text(name), rebuilt(tensor, `${at}`)]));
  const keys = Buffer.concat([Buffer.from(']('), ...all.map((_, at) => text(`${at}`)), Buffer.from('e')]);
  const system = items(EMPTY_DICT, text('little_endian'), TRUE);
  const storages = all.flatMap(([, { values }]) => [
    int64(values.length),
    Buffer.from(Float32Array.from(values).buffer),
  ]);
  return Buffer.concat([...[MAGIC, integer(1001), system, state, keys].map(file), ...storages]);
}

function rebuilt({ shape, values, offset = 0, strides = contiguous(shape) }: MadeTensor, key: string): Buffer {
  const type = global('torch', 'FloatStorage');
  const storage = tuple(text('storage'), type, text(key), text('cpu'), integer(values.length), NONE);
  const sizes = [tuple(...shape.map(integer)), tuple(...strides.map(integer))];
  const args = tuple(storage, Buffer.from('Q'), integer(offset), ...sizes, Buffer.of(0x89), ordered());
  return call(global('torch._utils', '_rebuild_tensor_v2'), args);
}

const contiguous = (shape: readonly number[]): number[] =>
  shape.map((_, axis) => shape.slice(axis + 1).reduce((product, length) => product * length, 1));

interface MadeBlock {
  readonly channels: number;
  readonly kernel: number;
  readonly expand?: number;
}

export interface MadeNetwork {
  readonly stem: number;
  readonly blocks: readonly MadeBlock[];
  readonly features: number;
  readonly classes: number;
}

/** The state dict of a small EfficientNet-Lite with random weights. */
export function madeNetwork({ stem, blocks, features, classes }: MadeNetwork, seed = 1): Record<string, MadeTensor> {
  const random = new Random(seed);
  const state: Record<string, MadeTensor> = {};
  const add = (name: string, shape: readonly number[], low = -1, high = 1): void => {
    const count = shape.reduce((product, length) => product * length, 1);
    state[name] = { shape, values: Float32Array.from({ length: count }, () => random.between(low, high)) };
  };
  const convolution = (weights: string, norm: string, shape: readonly number[]): void => {
    add(`${weights}.weight`, shape);
    for (const name of ['weight', 'bias', 'running_mean']) add(`${norm}.${name}`, [shape[0]!]);
    add(`${norm}.running_var`, [shape[0]!], 0.5, 2);
  };
  convolution('_conv_stem', '_bn0', [stem, 3, 3, 3]);
  let channels = stem;
  for (const [at, { channels: next, kernel, expand }] of blocks.entries()) {
    const block = `_blocks.${at}.`;
    const wide = expand ?? channels;
    if (expand !== undefined) convolution(`${block}_expand_conv`, `${block}_bn0`, [wide, channels, 1, 1]);
    convolution(`${block}_depthwise_conv`, `${block}_bn1`, [wide, 1, kernel, kernel]);
    convolution(`${block}_project_conv`, `${block}_bn2`, [next, wide, 1, 1]);
    channels = next;
  }
  convolution('_conv_head', '_bn1', [features, channels, 1, 1]);
  add('_fc.weight', [classes, features]);
  add('_fc.bias', [classes]);
  return state;
}

function written(length: number, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(length);
  write(bytes);
  return bytes;
}

const uint32 = (value: number): Buffer => written(4, (bytes) => bytes.writeUInt32LE(value));
const int32 = (value: number): Buffer => written(4, (bytes) => bytes.writeInt32LE(value));
const int64 = (value: number): Buffer => written(8, (bytes) => bytes.writeBigInt64LE(BigInt(value)));
