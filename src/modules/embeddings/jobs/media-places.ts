import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { normalizedPath } from '../../tables';
import type { Naming } from '../domain/embedding-upload';

const AMBIGUOUS = -1;
const NAMED_BY_PATH: readonly MediaRow['kind'][] = ['IMAGE', 'FRAME'];

export type NamedRow = Pick<MediaRow, 'id' | 'kind' | 'path'>;

/** The rows that have a vector: videos have none, their frames do. */
export async function* rowsWithVector(table: MediaTable): AsyncGenerator<[ordinal: number, row: NamedRow]> {
  let ordinal = 0;
  for await (const batch of table.readRows(['id', 'kind', 'path'])) {
    for (const row of batch) {
      if (row.kind !== 'VIDEO') yield [ordinal, row];
      ordinal += 1;
    }
  }
}

/** The places of media in their table, by name. */
export class MediaPlaces {
  private readonly places = new Map<string, number>();

  private constructor(private readonly naming: Naming) {}

  static async of(table: MediaTable, naming: Naming): Promise<MediaPlaces> {
    const found = new MediaPlaces(naming);
    for await (const [ordinal, row] of rowsWithVector(table)) found.add(ordinal, row);
    return found;
  }

  /** Undefined if nothing has the name, and 'ambiguous' if several media do. */
  find(name: string): number | 'ambiguous' | undefined {
    const place = this.places.get(this.naming === 'media_id' ? name.toLowerCase() : normalizedPath(name));
    return place === AMBIGUOUS ? 'ambiguous' : place;
  }

  private add(ordinal: number, { id, kind, path }: NamedRow): void {
    if (this.naming === 'media_id') this.places.set(id, ordinal);
    else if (NAMED_BY_PATH.includes(kind)) {
      const name = normalizedPath(path);
      this.places.set(name, this.places.has(name) ? AMBIGUOUS : ordinal);
    }
  }
}
