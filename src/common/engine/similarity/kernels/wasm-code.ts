/** What the modules that this folder assembles by hand have in common. */
export type Code = readonly number[];

export const I32 = 0x7f;
export const I64 = 0x7e;
export const F32 = 0x7d;
export const V128 = 0x7b;
export const END = 0x0b;

export function unsigned(value: number): Code {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

/** Constants up to 63 take one byte, larger ones two. */
export const signed = (value: number): Code => (value < 64 ? [value] : [(value & 127) | 128, value >>> 7]);
export const i32 = (value: number): Code => [0x41, ...signed(value)];

export const vector = (body: Code): Code => [...unsigned(body.length), ...body];
export const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
export const section = (id: number, body: Code): Code => [id, ...vector(body)];
export const text = (value: string): Code => vector([...Buffer.from(value, 'utf8')]);
export const get = (local: number): Code => [0x20, local];
export const set = (local: number): Code => [0x21, local];
export const simd = (operation: number): Code => [0xfd, ...unsigned(operation)];
/** Of four numbers. */
export const load = (pointer: number, offset: number): Code => [...get(pointer), ...simd(0x00), 4, ...unsigned(offset)];
export const LOOP = [0x03, 0x40];
export const BRANCH_IF = [0x0d];
export const I32_ADD = [0x6a];
export const I32_BELOW = [0x49];
/** Makes four numbers of one. */
export const SPLAT = simd(0x13);
export const VECTOR_BYTES = 16;

export const MODULE = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
export const PAGE = 65_536;

/** The part of the standard interface used here, which TypeScript only declares in the library of browsers. */
interface Assembly {
  readonly Memory: new (size: object) => { readonly buffer: ArrayBufferLike };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

declare const WebAssembly: Assembly;
export const Assembled = WebAssembly;

interface OneFunction {
  readonly parameters: readonly number[];
  readonly results: readonly number[];
  /** 32-bit integers besides the parameters. */
  readonly locals: number;
  readonly body: Code;
}

/** A module of one function, `run`, that works on the memory it is given. */
export function moduleOf({ parameters, results, locals, body }: OneFunction): object {
  const type = [0x60, ...list(parameters.map((each) => [each])), ...list(results.map((each) => [each]))];
  return new Assembled.Module(
    Uint8Array.from([
      ...MODULE,
      ...section(1, list([type])),
      ...section(2, list([[...text('its'), ...text('memory'), 0x02, 0x00, ...unsigned(1)]])),
      ...section(3, list([[0]])),
      ...section(7, list([[...text('run'), 0x00, 0]])),
      ...section(10, list([vector([...list(locals === 0 ? [] : [[locals, I32]]), ...body, END])])),
    ]),
  );
}

/** What a function answers is a number if it has a result. */
type Run = (...parameters: number[]) => number;

/** The function of a module, with a memory of its own of so many bytes. */
export function openModule(module: object, bytes: number): { readonly run: Run; readonly buffer: ArrayBufferLike } {
  const memory = new Assembled.Memory({ initial: Math.max(1, Math.ceil(bytes / PAGE)) });
  const { run } = new Assembled.Instance(module, { its: { memory } }).exports as { run: Run };
  return { run, buffer: memory.buffer };
}
