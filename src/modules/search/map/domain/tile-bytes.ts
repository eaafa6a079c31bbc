import { hash } from 'node:crypto';
import type { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import type { EvaluatedFile, MapPlaces, MapTile, TilePoints } from '../../../versions';
import type { ColourColumn, MapColour } from './map-colours';
import { versionName } from '../../../../common/engine/media-table/table-version';
import type { DatasetPointer } from '../../../datasets';
import { evaluatedFiles } from '../../query/domain/evaluation-filters';
import type { Filter } from '../../query/domain/filter';
import type { SearchQuery } from '../../query/domain/search-query';

export interface MapView {
  readonly query: SearchQuery;
  readonly colour: MapColour;
  /** Whose outcomes are the colours. */
  readonly evaluation?: string | undefined;
  /** What it found, once it is known. */
  readonly evaluated?: EvaluatedFile;
}

const EMPTY = 'empty';
const nameOf = (text: string): string => hash('sha256', text).slice(0, 16);

const needsTags = ({ query, colour }: MapView): boolean => colour === 'tag' || query.filters.some(asksForTags);

const MAGIC = 'DMT1';
const HEADER_BYTES = 16;
const STEPS = 2 ** 16;

export interface TileContent {
  readonly tile: MapTile;
  readonly points: TilePoints;
  readonly places: MapPlaces;
  readonly colours: ColourColumn;
  /** Absent if all rows match. */
  readonly matches: OrdinalSet | undefined;
}

/** The points of a tile in the format of clients, column by column, little-endian. */
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

/** Identifies what a view shows: the table, its tags, and what evaluations found, which change independently. */
export function mapVersionOf(pointer: DatasetPointer | null, view?: MapView): string {
  if (pointer === null) return EMPTY;
  const evaluated =
    view === undefined
      ? []
      : [...(view.evaluated === undefined ? [] : [view.evaluated.file]), ...evaluatedFiles(view.query.filters)];
  const parts = [versionName(pointer), pointer.tagsFile ?? '', ...(evaluated.length > 0 ? [evaluated.join(' ')] : [])];
  return parts.map(nameOf).join('-');
}

/** Whether a view is the same in both states. Tags only matter to views that show or filter by tags; without a view only the table matters. */
export function isSameMap(asked: string, current: string, view?: MapView): boolean {
  const [table, tags, evaluated] = asked.split('-');
  const [tableNow, tagsNow, evaluatedNow] = current.split('-');
  if (table !== tableNow || view === undefined) return table === tableNow;
  return evaluated === evaluatedNow && (!needsTags(view) || tags === tagsNow);
}

function asksForTags(filter: Filter): boolean {
  if (filter.kind === 'not') return asksForTags(filter.filter);
  if (filter.kind === 'and' || filter.kind === 'or') return filter.filters.some(asksForTags);
  return filter.kind === 'tags' || filter.kind === 'untagged';
}
