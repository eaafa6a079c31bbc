import type { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import type { MapPlaces, MapTile, TilePoints } from '../../../versions';
import type { ColourColumn } from './map-colours';

const MAGIC = 'DMT1';
const HEADER_BYTES = 16;
const STEPS = 2 ** 16;

export interface TileContent {
  readonly tile: MapTile;
  readonly points: TilePoints;
  readonly places: MapPlaces;
  readonly colours: ColourColumn;
  /** All rows when absent. */
  readonly matches: OrdinalSet | undefined;
}

/** The points of a tile as clients draw them, column by column, little endian. */
export function tileBytes({ tile, points: { rows, total }, places, colours, matches }: TileContent): Buffer {
  const count = rows.length;
  const bytes = Buffer.alloc(HEADER_BYTES + 11 * count);
  bytes.write(MAGIC, 'latin1');
  bytes.writeUInt32LE(count, 4);
  bytes.writeUInt32LE(total, 8);
  const [xs, ys, ofColour] = [4, 6, 8].map((each) => HEADER_BYTES + each * count) as [number, number, number];
  const within = (part: number, start: number): number =>
    Math.max(0, Math.min(STEPS - 1, Math.floor((part * 2 ** tile.z - start) * STEPS)));
  rows.forEach((row, i) => {
    bytes.writeUInt32LE(row, HEADER_BYTES + 4 * i);
    bytes.writeUInt16LE(within(places.x[row]!, tile.x), xs + 2 * i);
    bytes.writeUInt16LE(within(places.y[row]!, tile.y), ys + 2 * i);
    bytes.writeUInt16LE(colours.at(row), ofColour + 2 * i);
    bytes[HEADER_BYTES + 10 * count + i] = matches === undefined || matches.has(row) ? 1 : 0;
  });
  return bytes;
}
