import { NEIGHBOURS } from '../similarity-structure';
import type { TopLists } from '../vectors/top-lists';

const BYTES = 4;
export const ENCODED_ROW_BYTES = 2 * NEIGHBOURS * BYTES;

/** The layout is all keys, followed by all scores. */
export function encodeLists({ keys, scores }: TopLists): Buffer {
  const bytes = Buffer.alloc(keys.byteLength + scores.byteLength);
  bytes.set(bytesOf(keys));
  bytes.set(bytesOf(scores), keys.byteLength);
  return bytes;
}

/** Throws if `bytes` does not contain exactly as many rows as `into`. */
export function decodeLists(bytes: Uint8Array, into: TopLists): void {
  const { keys, scores } = into;
  if (bytes.length !== keys.byteLength + scores.byteLength)
    throw new RangeError(`${bytes.length} bytes do not match the neighbours of ${keys.length / into.length} rows`);
  bytesOf(keys).set(bytes.subarray(0, keys.byteLength));
  bytesOf(scores).set(bytes.subarray(keys.byteLength));
}

export const bytesOf = ({ buffer, byteOffset, byteLength }: Int32Array | Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
