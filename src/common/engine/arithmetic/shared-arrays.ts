/** Arrays in shared memory, which every thread can access without a copy. */
export const sharedFloat32 = (length: number): Float32Array => new Float32Array(new SharedArrayBuffer(length * 4));
export const sharedInt32 = (length: number): Int32Array => new Int32Array(new SharedArrayBuffer(length * 4));
export const sharedInt8 = (length: number): Int8Array => new Int8Array(new SharedArrayBuffer(length));
export const sharedUint8 = (length: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(length));

/** The numbers 0, 1, 2 and so on. */
export function sharedRange(length: number): Int32Array {
  const range = sharedInt32(length);
  for (let at = 0; at < length; at++) range[at] = at;
  return range;
}

/** Of things that are listed by owner: the owner of each. Those of owner n are from firsts[n] to before firsts[n + 1]. */
export function ownersOf(firsts: Int32Array): Int32Array {
  const owners = sharedInt32(firsts.at(-1)!);
  for (let owner = 0; owner + 1 < firsts.length; owner++) owners.fill(owner, firsts[owner], firsts[owner + 1]);
  return owners;
}
