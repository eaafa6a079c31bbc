import { NO_PLACE, PLACE_COLUMNS } from '../../../common/engine/media-table/media-schema';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import type { MapPlaces } from './domain/map-places';

export async function loadPlaces(table: MediaTable): Promise<MapPlaces> {
  const [x, y] = [new Float32Array(table.rows).fill(NaN), new Float32Array(table.rows).fill(NaN)];
  if (!table.has('mapPlace')) return { x, y };
  for await (const { first, columns } of table.readColumns(PLACE_COLUMNS, { absent: NO_PLACE })) {
    x.set(columns['map_x'] as Float32Array, first);
    y.set(columns['map_y'] as Float32Array, first);
  }
  return { x, y };
}
