import type { KnownTile, TileId } from './tile-tree';

/** The points of a tile, a column for each thing that is known of them. */
export interface MapTile extends KnownTile {
  readonly id: TileId;
  readonly count: number;
  /** Of all points that lie in it, how many are here: 0 to 1. */
  readonly share: number;
  /** The numbers of their media in the version of the dataset. */
  readonly row: Uint32Array;
  /** Across the tile, 0 to 65535. */
  readonly x: Uint16Array;
  readonly y: Uint16Array;
  /** A place in the legend, or one of the next two. */
  readonly colour: Uint16Array;
  /** 1 where the filters match. */
  readonly matches: Uint8Array;
}

/** Of media with another value than those of the legend. */
export const OTHER = 20;
/** Of media without a value. */
export const NO_VALUE = 65_535;

const MAGIC = 'DMT1';
const HEADER_BYTES = 16;
const POINT_BYTES = 11;
const CROWDED = 0.5;

/** Thrown for bytes that are no tile. */
export class TileFormatError extends Error {
  constructor(id: TileId, why: string) {
    super(`The tile ${id.z}/${id.x}/${id.y} of the map cannot be read: ${why}`);
  }
}

/** Reads a tile; its lengths must be exactly those of its header. */
export function parseTile(id: TileId, bytes: ArrayBuffer): MapTile {
  if (bytes.byteLength < HEADER_BYTES) throw new TileFormatError(id, `it has ${bytes.byteLength} bytes`);
  const view = new DataView(bytes);
  const magic = String.fromCharCode(...new Uint8Array(bytes, 0, MAGIC.length));
  if (magic !== MAGIC) throw new TileFormatError(id, 'it does not begin as one');
  const count = view.getUint32(4, true);
  const total = view.getUint32(8, true);
  const expected = HEADER_BYTES + count * POINT_BYTES;
  if (bytes.byteLength !== expected)
    throw new TileFormatError(id, `${count} points need ${expected} bytes, and it has ${bytes.byteLength}`);
  if (count > total) throw new TileFormatError(id, `it has ${count} of ${total} points`);
  const after = (bytesBefore: number): number => HEADER_BYTES + count * bytesBefore;
  return {
    id,
    count,
    share: total === 0 ? 1 : count / total,
    isComplete: count === total,
    isCrowded: count < total * CROWDED,
    row: new Uint32Array(bytes, after(0), count),
    x: new Uint16Array(bytes, after(4), count),
    y: new Uint16Array(bytes, after(6), count),
    colour: new Uint16Array(bytes, after(8), count),
    matches: new Uint8Array(bytes, after(10), count),
  };
}
