import type { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { inSlices, yieldTurn } from '../../../../common/platform/concurrency/in-slices';

/** The places of rows on the map, by ordinal; NaN for rows without one. */
export interface MapPlaces {
  readonly x: Float32Array;
  readonly y: Float32Array;
}

/** Of each coordinate. */
const MORTON_BITS = 16;
const CELLS = 2 ** MORTON_BITS;

/** The bits of both coordinates in turn, so that the places in a tile have one range of codes. */
const mortonCode = (x: number, y: number): number => interleaved(cellOf(x), cellOf(y));

/** The lowest code in a tile. */
const firstCodeOf = (z: number, x: number, y: number): number => interleaved(x, y) * 4 ** (MORTON_BITS - z);

const cellOf = (part: number): number => Math.min(CELLS - 1, Math.floor(part * CELLS));

const interleaved = (x: number, y: number): number => (spread(x) | (spread(y) << 1)) >>> 0;

/** The deepest level of tiles, each half as wide as those above. */
export const MAX_ZOOM = 14;

export interface MapTile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

export interface TilePoints {
  /** The number of all rows in the tile. */
  readonly total: number;
  /** Rows of the tile, by their rank. */
  readonly rows: Int32Array;
}

/** A band for each number of leading zeros of a rank. */
const BANDS = 33;
const RADIX_BITS = 11;
const RADIX = 2 ** RADIX_BITS;
/** A few milliseconds of the event loop. */
const ROWS_AT_ONCE = 2 ** 16;

/**
 * The rows of one type with a place on the map, to be read tile by tile. Each row has a pseudo-random rank, and a tile shows those of the
 * lowest ranks, so a tile has all points of its parent that lie in it. Rows are kept by bands of ranks, each half as many rows as the next,
 * and in a band in Morton order, in which each tile is one range: a tile is read from the lowest bands that hold enough of its rows.
 */
export class MapIndex {
  private constructor(
    /** Band by band, the lowest ranks first. */
    private readonly rows: Int32Array,
    private readonly codes: Uint32Array,
    /** Band b is at starts[b] to starts[b + 1]. */
    private readonly starts: Int32Array,
  ) {}

  static async build({ x, y }: MapPlaces, ofType: OrdinalSet): Promise<MapIndex> {
    let rows = new Int32Array(x.length);
    let codes = new Uint32Array(x.length);
    let placed = 0;
    await inSlices(
      x.length,
      (start, end) => {
        for (let row = start; row < end; row++) {
          if (!ofType.has(row) || Number.isNaN(x[row]!)) continue;
          rows[placed] = row;
          codes[placed++] = mortonCode(x[row]!, y[row]!);
        }
      },
      ROWS_AT_ONCE,
    );
    [rows, codes] = [rows.slice(0, placed), codes.slice(0, placed)];
    for (let shift = 0; shift < 2 * MORTON_BITS; shift += RADIX_BITS)
      [rows, codes] = await sorted(rows, codes, RADIX, (at) => (codes[at]! >>> shift) & (RADIX - 1));
    const starts = new Int32Array(BANDS + 1);
    [rows, codes] = await sorted(rows, codes, BANDS, (at) => bandOf(rows[at]!), starts);
    return new MapIndex(rows, codes, starts);
  }

  get placed(): number {
    return this.rows.length;
  }

  get bytes(): number {
    return this.rows.byteLength + this.codes.byteLength;
  }

  tile({ z, x, y }: MapTile, most: number): TilePoints {
    const first = firstCodeOf(z, x, y);
    const end = first + 4 ** (MORTON_BITS - z);
    let total = 0;
    const ranges: [number, number][] = [];
    for (let band = 0; band < BANDS; band++) {
      const [from, to] = [this.lowerBound(band, first), this.lowerBound(band, end)];
      if (total < most && to > from) ranges.push([from, to]);
      total += to - from;
    }
    return { total, rows: this.lowestOf(ranges, most) };
  }

  /** All ranks of a range are lower than those of the next. */
  private lowestOf(ranges: readonly (readonly [number, number])[], most: number): Int32Array {
    const lists = ranges.map(([from, to]) => byRank(this.rows.subarray(from, to)));
    const rows = new Int32Array(lists.reduce((sum, list) => sum + list.length, 0));
    let at = 0;
    for (const list of lists) {
      rows.set(list, at);
      at += list.length;
    }
    return rows.subarray(0, most);
  }

  /** The first place in a band whose code is at least `code`. */
  private lowerBound(band: number, code: number): number {
    let [low, high] = [this.starts[band]!, this.starts[band + 1]!];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.codes[middle]! < code) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A permutation of the numbers of 32 bits, so no two rows have the same rank. */
export function rankOf(row: number): number {
  let rank = Math.imul(row ^ (row >>> 16), 0x85ebca6b);
  rank = Math.imul(rank ^ (rank >>> 13), 0xc2b2ae35);
  return (rank ^ (rank >>> 16)) >>> 0;
}

const bandOf = (row: number): number => BANDS - 1 - Math.clz32(rankOf(row));

function byRank(rows: Int32Array): Int32Array {
  // A double holds a rank of 32 bits and a place of 21.
  const keys = Float64Array.from(rows, (row, at) => rankOf(row) * 2 ** 21 + at).sort();
  return Int32Array.from(keys, (key) => rows[key % 2 ** 21]!);
}

type Lists = [rows: Int32Array<ArrayBuffer>, codes: Uint32Array<ArrayBuffer>];

/** Stable, by a key below `keys`; `starts` gets the first place of each key. */
async function sorted(
  rows: Int32Array,
  codes: Uint32Array,
  keys: number,
  keyAt: (at: number) => number,
  starts = new Int32Array(keys + 1),
): Promise<Lists> {
  await yieldTurn();
  await inSlices(
    rows.length,
    (start, end) => {
      for (let at = start; at < end; at++) starts[keyAt(at) + 1]!++;
    },
    ROWS_AT_ONCE,
  );
  for (let key = 0; key < keys; key++) starts[key + 1]! += starts[key]!;
  const next = starts.slice();
  const [sortedRows, sortedCodes] = [new Int32Array(rows.length), new Uint32Array(rows.length)];
  await yieldTurn();
  await inSlices(
    rows.length,
    (start, end) => {
      for (let at = start; at < end; at++) {
        const place = next[keyAt(at)]!++;
        sortedRows[place] = rows[at]!;
        sortedCodes[place] = codes[at]!;
      }
    },
    ROWS_AT_ONCE,
  );
  return [sortedRows, sortedCodes];
}

/** A zero after each of 16 bits. */
function spread(value: number): number {
  let bits = (value | (value << 8)) & 0x00ff_00ff;
  bits = (bits | (bits << 4)) & 0x0f0f_0f0f;
  bits = (bits | (bits << 2)) & 0x3333_3333;
  return (bits | (bits << 1)) & 0x5555_5555;
}
