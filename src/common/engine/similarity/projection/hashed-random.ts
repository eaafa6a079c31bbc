/** A pseudorandom number from 0 to 1 that depends only on the arguments, not on the thread. */
export function hashedRandom(a: number, b: number): number {
  return hashed(a, b) / 2 ** 32;
}

/** 32 bits. */
export function hashed(a: number, b: number): number {
  let bits = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
  return (bits ^ (bits >>> 15)) >>> 0;
}
