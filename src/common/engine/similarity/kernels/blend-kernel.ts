import {
  BRANCH_IF,
  END,
  F32,
  get,
  I32,
  i32,
  I32_ADD,
  I32_BELOW,
  load,
  LOOP,
  moduleOf,
  openModule,
  set,
  simd,
  SPLAT,
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
  return [...LOOP, ...get(AT), ...sum, ...STORE, ...step, ...again, END];
}

/** The last one, since the memory of each reserves gigabytes of addresses. */
let kept: Blend | undefined;

/** The same for all that is done by a thread, which must not keep a sum while something else is done. */
export function blendOf(dimension: number): Blend {
  if (kept?.sum.length !== dimension) kept = allocate(dimension);
  return kept;
}

function allocate(dimension: number): Blend {
  const length = Math.ceil(dimension / LANES) * VECTOR_BYTES;
  const module = moduleOf({ parameters: [F32, I32], results: [], locals: 1, body: addBody() });
  const { run, buffer } = openModule(module, 2 * length);
  return {
    sum: new Float32Array(buffer, 0, dimension),
    next: new Float32Array(buffer, length, dimension),
    add: (weight) => void run(weight, length),
  };
}
