import type { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { byWords, type MapPlaces } from '../../../versions';
import type { MapPolygon } from '../../query/domain/filter';

/** The number of strips of the polygon. Each strip has the edges that cross it, because a row only needs those of its strip. */
const STRIPS = 64;
/** The number of tested edges per slice, which takes a few milliseconds. */
const EDGES_AT_ONCE = 2 ** 19;
const WORD = 32;

/** The rows within a polygon, by the even-odd rule. */
export function rowsWithin({ x, y }: MapPlaces, polygon: MapPolygon): Promise<OrdinalSet> {
  const area = new MapArea(polygon);
  return byWords(
    x.length,
    (from, to) => {
      let word = 0;
      for (let row = from; row < to; row++) if (area.contains(x[row]!, y[row]!)) word |= 1 << (row & 31);
      return word;
    },
    WORD * Math.ceil(EDGES_AT_ONCE / area.mostEdges / WORD),
  );
}

/** A polygon in the unit square. */
export class MapArea {
  /** The x of each corner, with the first one repeated at the end. */
  private readonly xs: Float64Array;
  private readonly ys: Float64Array;
  private readonly left: number;
  private readonly top: number;
  private readonly right: number;
  private readonly bottom: number;
  /** For each strip, the edges that cross it, by their first corner. */
  private readonly strips: readonly Int32Array[];

  constructor(corners: MapPolygon) {
    const closed = [...corners, corners[0]!];
    const xs = (this.xs = Float64Array.from(closed, ([x]) => x));
    const ys = (this.ys = Float64Array.from(closed, ([, y]) => y));
    [this.left, this.right] = [Math.min(...xs), Math.max(...xs)];
    [this.top, this.bottom] = [Math.min(...ys), Math.max(...ys)];
    const strips = Array.from({ length: STRIPS }, (): number[] => []);
    for (let edge = 0; edge < corners.length; edge++) {
      const [from, to] = [ys[edge]!, ys[edge + 1]!];
      const last = this.stripOf(Math.max(from, to));
      for (let strip = this.stripOf(Math.min(from, to)); strip <= last; strip++) strips[strip]!.push(edge);
    }
    this.strips = strips.map((edges) => Int32Array.from(edges));
  }

  /** The maximum number of edges in a strip. */
  get mostEdges(): number {
    return this.strips.reduce((most, { length }) => Math.max(most, length), 1);
  }

  contains(x: number, y: number): boolean {
    // NaN fails these comparisons.
    if (!(x >= this.left && x <= this.right && y >= this.top && y <= this.bottom)) return false;
    const { xs, ys } = this;
    const edges = this.strips[this.stripOf(y)]!;
    let isInside = false;
    for (let i = 0; i < edges.length; i++) {
      const edge = edges[i]!;
      const from = ys[edge]!;
      const to = ys[edge + 1]!;
      if (from > y === to > y) continue;
      if (x < xs[edge]! + ((xs[edge + 1]! - xs[edge]!) * (y - from)) / (to - from)) isInside = !isInside;
    }
    return isInside;
  }

  private stripOf(y: number): number {
    const height = this.bottom - this.top;
    return height === 0 ? 0 : Math.min(STRIPS - 1, Math.floor(((y - this.top) / height) * STRIPS));
  }
}
