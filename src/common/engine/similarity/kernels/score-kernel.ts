import {
  Assembled,
  BRANCH_IF,
  END,
  F32,
  get,
  I32,
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
  vector,
  VECTOR_BYTES,
  type Code,
} from './wasm-code';

/** Finds the few large scores among many, as a WebAssembly module: a loop in JavaScript takes longer than the matrix product that makes the scores. */
export interface Scores {
  /** The buffer for the scores. */
  readonly values: Float32Array;
  /** The index of the first score from `from` on that is at least `least`, or `to`. */
  next(from: number, to: number, least: number): number;
}

const BYTES = 4;
const TURN_BYTES = 64;

// Parameters: two addresses, and the least score.
const [AT, TO, LEAST] = [0, 1, 2];

const i32 = (value: number): Code => [0x41, ...signed(value)];
const I32_ADD = [0x6a];
const I32_BELOW = [0x49];
const I32_ABOVE = [0x4b];
const LOAD_SCORE = [...get(AT), 0x2a, 2, 0];
const SCORE_IS_LEAST = [0x60];
/** Makes four numbers of one. */
const SPLAT = simd(0x13);
const AT_LEAST = simd(0x46);
const EITHER = simd(0x50);
const ANY = simd(0x53);
const BLOCK = [0x02, 0x40];
const BRANCH = [0x0c];
const RETURN = [0x0f];

/** Skips sixteen scores at a time that are all too small, then one at a time. */
function nextBody(): Code {
  const isAny = [0, 1, 2, 3].flatMap((part) => [
    ...load(AT, part * VECTOR_BYTES),
    ...get(LEAST),
    ...SPLAT,
    ...AT_LEAST,
    ...(part === 0 ? [] : EITHER),
  ]);
  const step = (bytes: number): Code => [...get(AT), ...i32(bytes), ...I32_ADD, ...set(AT)];
  const leaveNearTheEnd = [...get(AT), ...i32(TURN_BYTES), ...I32_ADD, ...get(TO), ...I32_ABOVE, ...BRANCH_IF, 1];
  const turns = [...leaveNearTheEnd, ...isAny, ...ANY, ...BRANCH_IF, 1, ...step(TURN_BYTES), ...BRANCH, 0];
  const one = [...LOAD_SCORE, ...get(LEAST), ...SCORE_IS_LEAST, ...BRANCH_IF, 1, ...step(BYTES), ...BRANCH, 0];
  const leaveAtTheEnd = [...get(AT), ...get(TO), ...I32_BELOW, 0x45, ...BRANCH_IF, 1];
  return [
    ...[...BLOCK, ...LOOP, ...turns, END, END],
    ...[...BLOCK, ...LOOP, ...leaveAtTheEnd, ...one, END, END],
    ...[...get(AT), ...RETURN],
  ];
}

function moduleBytes(): Uint8Array {
  const type = [0x60, ...list([[I32], [I32], [F32]]), ...list([[I32]])];
  return Uint8Array.from([
    ...MODULE,
    ...section(1, list([type])),
    ...section(2, list([[...text('its'), ...text('memory'), 0x02, 0x00, ...unsigned(1)]])),
    ...section(3, list([[0]])),
    ...section(7, list([[...text('next'), 0x00, 0]])),
    ...section(10, list([vector([...list([]), ...nextBody(), END])])),
  ]);
}

let compiled: object | undefined;

export function allocateScores(length: number): Scores {
  compiled ??= new Assembled.Module(moduleBytes());
  const memory = new Assembled.Memory({ initial: Math.max(1, Math.ceil((length * BYTES) / PAGE)) });
  const { next } = new Assembled.Instance(compiled, { its: { memory } }).exports as Pick<Scores, 'next'>;
  return {
    values: new Float32Array(memory.buffer, 0, length),
    next: (from, to, least) => next(from * BYTES, to * BYTES, least) / BYTES,
  };
}
