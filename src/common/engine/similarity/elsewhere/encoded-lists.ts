import { NEIGHBOURS } from '../similarity-structure';
import type { TopLists } from '../vectors/top-lists';

const BYTES = 4;
export const ENCODED_ROW_BYTES = 2 * NEIGHBOURS * BYTES;

/** All keys, and then all scores. */
export function encodeLists({ keys, scores }: TopLists): Buffer {
  const bytes = Buffer.alloc(keys.byteLength + scores.byteLength);
  bytes.set(bytesOf(keys));
  bytes.set(bytesOf(scores), keys.byteLength);
  return bytes;
}

/** Throws if these are not lists of so many rows. */
export function decodeLists(bytes: Uint8Array, into: TopLists): void {
  const { keys, scores } = into;
  if (bytes.length !== keys.byteLength + scores.byteLength)
    throw new RangeError(`${bytes.length} bytes are not the neighbours of ${keys.length / into.length} rows`);
  bytesOf(keys).set(bytes.subarray(0, keys.byteLength));
  bytesOf(scores).set(bytes.subarray(keys.byteLength));
}

export const bytesOf = ({ buffer, byteOffset, byteLength }: Int32Array | Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
