import { readPickle, refused } from './pickle';

export interface Tensor {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

class Storage {
  constructor(
    readonly key: string,
    readonly type: string,
    readonly length: number,
  ) {}
}

class StoredTensor {
  constructor(
    readonly storage: Storage,
    readonly offset: number,
    readonly shape: readonly number[],
    readonly strides: readonly number[],
  ) {}
}

const FLOATS = 'FloatStorage';
const ITEM_BYTES = new Map([
  [FLOATS, 4],
  ['LongStorage', 8],
]);
const MAGIC = 0x1950a86a20f9469cfc6cn;
const MOST_DIMENSIONS = 8;
const LENGTH_BYTES = 8;

/**
 * Reads a state dict of torch in the form before version 1.6: pickles with a magic number, a version, the sizes of types, the state dict and the keys
 * of its storages, and then the storages. Returns the tensors of 32-bit floats by name.
 */
export function readTorchFile(bytes: Buffer): ReadonlyMap<string, Tensor> {
  const storages = new Map<unknown, Storage>();
  let rest = bytes;
  const next = (): unknown => {
    const { value, length } = readPickle(rest, { globals: GLOBALS, persistent: (id) => storageOf(id, storages) });
    rest = rest.subarray(length);
    return value;
  };
  if (next() !== MAGIC) throw refused('it does not begin as a file of torch does');
  next();
  const system = next();
  if (!(system instanceof Map) || system.get('little_endian') !== true) throw refused('it is not little-endian');
  const [state, keys] = [next(), next()];
  if (!(state instanceof Map) || !Array.isArray(keys)) throw refused('it has no state dict');
  return tensorsOf(state, storedFloats(rest, keys, storages));
}

const GLOBALS = {
  'collections OrderedDict': () => new Map(),
  'torch FloatStorage': FLOATS,
  'torch LongStorage': 'LongStorage',
  'torch._utils _rebuild_tensor_v2': ([storage, offset, shape, strides]: readonly unknown[]): StoredTensor => {
    const isValid = storage instanceof Storage && isCount(offset) && isShape(shape) && isShape(strides);
    if (!isValid || shape.length !== strides.length) throw refused('a tensor is not described as expected');
    return new StoredTensor(storage, offset, [...shape], [...strides]);
  },
};

function storageOf(id: unknown, storages: Map<unknown, Storage>): Storage {
  const [kind, type, key, , length] = Array.isArray(id) ? (id as unknown[]) : [];
  if (
    kind !== 'storage' ||
    typeof type !== 'string' ||
    !ITEM_BYTES.has(type) ||
    typeof key !== 'string' ||
    !isCount(length)
  )
    throw refused('a storage is not described as expected');
  const storage = storages.get(key) ?? new Storage(key, type, length);
  storages.set(key, storage);
  return storage;
}

/** The storages of 32-bit floats, in memory of their own, because those of the file are not aligned. */
function storedFloats(
  bytes: Buffer,
  keys: readonly unknown[],
  storages: ReadonlyMap<unknown, Storage>,
): ReadonlyMap<Storage, Float32Array> {
  const floats = new Map<Storage, Float32Array>();
  let at = 0;
  for (const key of keys) {
    const storage = storages.get(key);
    if (storage === undefined || floats.has(storage)) throw refused('its storages do not match the state dict');
    const end = at + LENGTH_BYTES + storage.length * ITEM_BYTES.get(storage.type)!;
    if (end > bytes.length || bytes.readBigInt64LE(at) !== BigInt(storage.length))
      throw refused('its storages end too early or have another length');
    const own = new Uint8Array(bytes.subarray(at + LENGTH_BYTES, end));
    if (storage.type === FLOATS) floats.set(storage, new Float32Array(own.buffer));
    at = end;
  }
  if (at !== bytes.length) throw refused('something follows its storages');
  return floats;
}

function tensorsOf(
  state: ReadonlyMap<unknown, unknown>,
  floats: ReadonlyMap<Storage, Float32Array>,
): ReadonlyMap<string, Tensor> {
  const tensors = new Map<string, Tensor>();
  let left = [...floats.values()].reduce((sum, { length }) => sum + length, 0);
  for (const [name, stored] of state) {
    if (typeof name !== 'string' || !(stored instanceof StoredTensor))
      throw refused('its state dict has more than tensors');
    if (stored.storage.type !== FLOATS) continue;
    const numbers = floats.get(stored.storage);
    const count = stored.shape.reduce((product, length) => product * length, 1);
    left -= count;
    if (numbers === undefined || left < 0 || farthestOf(stored) >= numbers.length)
      throw refused(`the tensor ${name.slice(0, 100)} has more numbers than its storage`);
    tensors.set(name, { shape: stored.shape, values: arranged(numbers, count, stored) });
  }
  return tensors;
}

const farthestOf = ({ offset, shape, strides }: StoredTensor): number =>
  shape.reduce((sum, length, axis) => sum + Math.max(0, length - 1) * strides[axis]!, offset);

/** The numbers in the order of the shape. */
function arranged(numbers: Float32Array, count: number, { offset, shape, strides }: StoredTensor): Float32Array {
  const values = new Float32Array(count);
  const place = shape.map(() => 0);
  for (let at = 0, from = offset; at < count; at++) {
    values[at] = numbers[from]!;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      place[axis]! += 1;
      from += strides[axis]!;
      if (place[axis]! < shape[axis]!) break;
      from -= strides[axis]! * shape[axis]!;
      place[axis] = 0;
    }
  }
  return values;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const isShape = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length <= MOST_DIMENSIONS && value.every(isCount);
