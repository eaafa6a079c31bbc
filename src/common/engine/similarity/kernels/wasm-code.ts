/** Building blocks of the modules that are assembled by hand in this folder. */
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

export const vector = (body: Code): Code => [...unsigned(body.length), ...body];
export const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
export const section = (id: number, body: Code): Code => [id, ...vector(body)];
export const text = (value: string): Code => vector([...Buffer.from(value, 'utf8')]);
export const get = (local: number): Code => [0x20, local];
export const set = (local: number): Code => [0x21, local];
export const simd = (operation: number): Code => [0xfd, ...unsigned(operation)];
/** Loads four floats. */
export const load = (pointer: number, offset: number): Code => [...get(pointer), ...simd(0x00), 4, ...unsigned(offset)];
export const LOOP = [0x03, 0x40];
export const BRANCH_IF = [0x0d];
export const VECTOR_BYTES = 16;

export const MODULE = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
export const PAGE = 65_536;

/** The part of the WebAssembly interface used here, which TypeScript declares only in its browser library. */
interface Assembly {
  readonly Memory: new (size: object) => { readonly buffer: ArrayBufferLike };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

declare const WebAssembly: Assembly;
export const Assembled = WebAssembly;
