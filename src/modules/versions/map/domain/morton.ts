/** Of each coordinate. */
export const MORTON_BITS = 16;
const CELLS = 2 ** MORTON_BITS;

/** The bits of both coordinates in turn, so that the places in a tile have one range of codes. */
export const mortonCode = (x: number, y: number): number => interleaved(cellOf(x), cellOf(y));

/** The lowest code in a tile. */
export const firstCodeOf = (z: number, x: number, y: number): number => interleaved(x, y) * 4 ** (MORTON_BITS - z);

const cellOf = (part: number): number => Math.min(CELLS - 1, Math.floor(part * CELLS));

const interleaved = (x: number, y: number): number => (spread(x) | (spread(y) << 1)) >>> 0;

/** A zero after each of 16 bits. */
function spread(value: number): number {
  let bits = (value | (value << 8)) & 0x00ff_00ff;
  bits = (bits | (bits << 4)) & 0x0f0f_0f0f;
  bits = (bits | (bits << 2)) & 0x3333_3333;
  return (bits | (bits << 1)) & 0x5555_5555;
}
