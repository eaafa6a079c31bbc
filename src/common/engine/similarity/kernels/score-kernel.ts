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

/**
 * Finds large ones among many scores, most of which are too small, as a WebAssembly module: a loop in JavaScript takes longer than the
 * matrix product that the scores come from.
 */
export interface Scores {
  /** Where they are put. */
  readonly values: Float32Array;
  /** The place of the first score from `from` on that is at least `least`, or `to`. */
  next(from: number, to: number, least: number): number;
}

const BYTES = 4;
const TURN_BYTES = 64;

// Parameters: two addresses, and the least score.
const [AT, TO, LEAST] = [0, 1, 2];

const I32_ABOVE = [0x4b];
const LOAD_SCORE = [...get(AT), 0x2a, 2, 0];
const SCORE_IS_LEAST = [0x60];
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

let compiled: object | undefined;

export function allocateScores(length: number): Scores {
  compiled ??= moduleOf({ parameters: [I32, I32, F32], results: [I32], locals: 0, body: nextBody() });
  const { run, buffer } = openModule(compiled, length * BYTES);
  return {
    values: new Float32Array(buffer, 0, length),
    next: (from, to, least) => run(from * BYTES, to * BYTES, least) / BYTES,
  };
}
