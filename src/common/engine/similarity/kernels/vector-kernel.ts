import {
  Assembled,
  BRANCH_IF,
  END,
  F32,
  get,
  I32,
  I64,
  list,
  load,
  LOOP,
  MODULE,
  PAGE,
  section,
  set,
  signed,
  simd,
  text,
  unsigned,
  V128,
  vector,
  VECTOR_BYTES,
  type Code,
} from './wasm-code';

/**
 * Two loops over rows of 32-bit floats as a WebAssembly module, because V8 has no vector instructions for JavaScript (ADR 28). Memory is addressed
 * with 64 bits, for more than 4 GiB of vectors.
 */
export interface VectorKernel {
  dot(first: number, second: number, strideBytes: number): number;
  /** Adds row `from` to row `into`. */
  add(into: number, from: number, strideBytes: number): void;
}

/** Shared between threads; may exceed 4 GiB. */
export interface KernelMemory {
  readonly buffer: SharedArrayBuffer;
}

/** The numbers processed in one iteration; rows are padded to a multiple of it. */
export const LANES = 16;

const TURN_BYTES = LANES * 4;

const i64 = (value: number): Code => [0x42, ...signed(value)];
const store = (offset: number): Code => [...simd(0x0b), 4, ...unsigned(offset)];
const ADD = simd(0xe4);
const MULTIPLY = simd(0xe6);
const EXTEND = [0xad];
const I64_ADD = [0x7c];
const I64_MULTIPLY = [0x7e];
const I64_LESS = [0x54];
const F32_ADD = [0x92];
const LANE = simd(0x1f);

const parts = [0, 1, 2, 3];

// Parameters: two rows and their stride in bytes. Locals: the rows' addresses, the end of the first, four sums.
const [ROW_A, ROW_B, STRIDE, A, LAST, B, SUMS] = [0, 1, 2, 3, 4, 5, 6];

function overRows(turn: Code): Code {
  const addressOf = (row: number): Code => [...get(row), ...EXTEND, ...get(STRIDE), ...EXTEND, ...I64_MULTIPLY];
  const step = (pointer: number): Code => [...get(pointer), ...i64(TURN_BYTES), ...I64_ADD, ...set(pointer)];
  const start = [...addressOf(ROW_A), ...set(A), ...addressOf(ROW_B), ...set(B)];
  const end = [...get(A), ...get(STRIDE), ...EXTEND, ...I64_ADD, ...set(LAST)];
  const again = [...step(A), ...step(B), ...get(A), ...get(LAST), ...I64_LESS, ...BRANCH_IF, 0];
  return [...start, ...end, ...LOOP, ...turn, ...again, END];
}

function dotBody(): Code {
  const turn = parts.flatMap((part) => {
    const product = [...load(A, part * VECTOR_BYTES), ...load(B, part * VECTOR_BYTES), ...MULTIPLY];
    return [...get(SUMS + part), ...product, ...ADD, ...set(SUMS + part)];
  });
  const halves = [...get(SUMS), ...get(SUMS + 1), ...ADD, ...get(SUMS + 2), ...get(SUMS + 3), ...ADD];
  const lanes = parts.flatMap((lane) => [...get(SUMS), ...LANE, lane, ...(lane === 0 ? [] : F32_ADD)]);
  return [...overRows(turn), ...halves, ...ADD, ...set(SUMS), ...lanes, END];
}

function addBody(): Code {
  const turn = parts.flatMap((part) => {
    const sum = [...load(A, part * VECTOR_BYTES), ...load(B, part * VECTOR_BYTES), ...ADD];
    return [...get(A), ...sum, ...store(part * VECTOR_BYTES)];
  });
  return [...overRows(turn), END];
}

const locals = list([
  [3, I64],
  [4, V128],
]);

function moduleBytes(pages: number): Uint8Array {
  const parameters = list([[I32], [I32], [I32]]);
  const sharedWith64Bits = 0x07;
  const size = [...unsigned(pages), ...unsigned(pages)];
  return Uint8Array.from([
    ...MODULE,
    ...section(
      1,
      list([
        [0x60, ...parameters, 1, F32],
        [0x60, ...parameters, 0],
      ]),
    ),
    ...section(2, list([[...text('vectors'), ...text('memory'), 0x02, sharedWith64Bits, ...size]])),
    ...section(3, list([[0], [1]])),
    ...section(
      7,
      list([
        [...text('dot'), 0x00, 0],
        [...text('add'), 0x00, 1],
      ]),
    ),
    ...section(10, list([vector([...locals, ...dotBody()]), vector([...locals, ...addBody()])])),
  ]);
}

export function allocateKernelMemory(bytes: number): KernelMemory {
  const pages = BigInt(Math.max(1, Math.ceil(bytes / PAGE)));
  const memory = new Assembled.Memory({ initial: pages, maximum: pages, shared: true, address: 'i64' });
  return memory as KernelMemory;
}

export function vectorKernel(memory: KernelMemory): VectorKernel {
  const compiled = new Assembled.Module(moduleBytes(memory.buffer.byteLength / PAGE));
  return new Assembled.Instance(compiled, { vectors: { memory } }).exports as VectorKernel;
}
