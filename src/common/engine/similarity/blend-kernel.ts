import {
  Assembled,
  BRANCH_IF,
  END,
  F32,
  get,
  I32,
  i32,
  I32_ADD,
  I32_BELOW,
  list,
  load,
  LOOP,
  MODULE,
  PAGE,
  section,
  set,
  simd,
  SPLAT,
  text,
  unsigned,
  vector,
  VECTOR_BYTES,
  type Code,
} from './wasm-code';

/** A weighted sum of vectors, as a WebAssembly module: V8 has no vector instructions for JavaScript. */
export interface Blend {
  readonly sum: Float32Array;
  /** The vector to be added. */
  readonly next: Float32Array;
  add(weight: number): void;
}

/** Numbers are added four at a time. */
const LANES = 4;

// Parameters: the weight, and the length in bytes, where the vector to be added begins. Local: an address in the sum.
const [WEIGHT, LENGTH, AT] = [0, 1, 2];

const ADD = simd(0xe4);
const MULTIPLY = simd(0xe6);
const STORE = [...simd(0x0b), 4, 0];

function addBody(): Code {
  const next = [...get(AT), ...get(LENGTH), ...I32_ADD, ...simd(0x00), 4, 0];
  const sum = [...load(AT, 0), ...next, ...get(WEIGHT), ...SPLAT, ...MULTIPLY, ...ADD];
  const step = [...get(AT), ...i32(VECTOR_BYTES), ...I32_ADD, ...set(AT)];
  const again = [...get(AT), ...get(LENGTH), ...I32_BELOW, ...BRANCH_IF, 0];
  return [...LOOP, ...get(AT), ...sum, ...STORE, ...step, ...again, END, END];
}

const moduleBytes = (): Uint8Array =>
  Uint8Array.from([
    ...MODULE,
    ...section(1, list([[0x60, ...list([[F32], [I32]]), 0]])),
    ...section(2, list([[...text('vectors'), ...text('memory'), 0x02, 0x00, ...unsigned(1)]])),
    ...section(3, list([[0]])),
    ...section(7, list([[...text('add'), 0x00, 0]])),
    ...section(10, list([vector([...list([[1, I32]]), ...addBody()])])),
  ]);

/** The last one, since the memory of each reserves gigabytes of addresses. */
let kept: Blend | undefined;

/** The same for all that is done by a thread, which must not keep a sum while something else is done. */
export function blendOf(dimension: number): Blend {
  if (kept?.sum.length !== dimension) kept = allocate(dimension);
  return kept;
}

function allocate(dimension: number): Blend {
  const length = Math.ceil(dimension / LANES) * VECTOR_BYTES;
  const memory = new Assembled.Memory({ initial: Math.ceil((2 * length) / PAGE) });
  const instance = new Assembled.Instance(new Assembled.Module(moduleBytes()), { vectors: { memory } });
  const { add } = instance.exports as { add: (weight: number, length: number) => void };
  return {
    sum: new Float32Array(memory.buffer, 0, dimension),
    next: new Float32Array(memory.buffer, length, dimension),
    add: (weight) => add(weight, length),
  };
}
