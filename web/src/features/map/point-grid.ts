import type { Box } from './viewport';

const CELLS = 32;
const SHIFT = 11;
const LAST = 65_535;

/** The points of a tile by where they are, so that the nearest one is found without looking at all. */
export class PointGrid {
  /** Where the points of each cell begin in `order`. */
  private readonly begin = new Uint32Array(CELLS * CELLS + 1);
  private readonly order: Uint32Array;

  constructor(
    private readonly x: Uint16Array,
    private readonly y: Uint16Array,
  ) {
    const cellOf = (at: number): number => (y[at]! >> SHIFT) * CELLS + (x[at]! >> SHIFT);
    for (let at = 0; at < x.length; at += 1) this.begin[cellOf(at) + 1]! += 1;
    for (let cell = 0; cell < CELLS * CELLS; cell += 1) this.begin[cell + 1]! += this.begin[cell]!;
    this.order = new Uint32Array(x.length);
    const next = this.begin.slice();
    for (let at = 0; at < x.length; at += 1) this.order[next[cellOf(at)]!++] = at;
  }

  /** In units of the tile, 0 to 65535; the point and its distance, or undefined where none is that near. */
  nearest(x: number, y: number, reach: number): { readonly at: number; readonly distance: number } | undefined {
    let found: { at: number; distance: number } | undefined;
    for (const at of this.within({ left: x - reach, top: y - reach, right: x + reach, bottom: y + reach })) {
      const distance = Math.hypot(this.x[at]! - x, this.y[at]! - y);
      if (distance <= (found?.distance ?? reach)) found = { at, distance };
    }
    return found;
  }

  /** The points of the cells that a box touches. */
  *within({ left, top, right, bottom }: Box): Generator<number> {
    const cell = (value: number): number => Math.max(0, Math.min(CELLS - 1, Math.floor(value / (1 << SHIFT))));
    if (right < 0 || bottom < 0 || left > LAST || top > LAST) return;
    for (let row = cell(top); row <= cell(bottom); row += 1) {
      const end = this.begin[row * CELLS + cell(right) + 1]!;
      for (let slot = this.begin[row * CELLS + cell(left)]!; slot < end; slot += 1) yield this.order[slot]!;
    }
  }
}
