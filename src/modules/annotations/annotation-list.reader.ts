import { Inject, Injectable } from '@nestjs/common';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import { versionName } from '../../common/engine/media-table/table-version';
import type { DatasetPointer } from '../datasets';
import { CountedRows, SourceAnnotations, type PlacedSource, type PublishedState } from '../versions';
import type { ListedAnnotation } from './domain/listed-annotation';
import { type ListPlace, StaleCursorError } from './domain/list-cursor';

export interface AskedAnnotations {
  readonly source?: string | undefined;
  readonly label?: string | undefined;
  readonly mediaIds?: readonly string[] | undefined;
  readonly limit: number;
  readonly from: ListPlace | undefined;
}

export interface AnnotationPage {
  readonly annotations: readonly ListedAnnotation[];
  readonly next: ListPlace | undefined;
  readonly total: number;
}

const EMPTY: AnnotationPage = { annotations: [], next: undefined, total: 0 };

/** Those of one source in one row that are asked for. */
interface FoundRow {
  readonly source: PlacedSource;
  readonly row: number;
  /** From this one on. */
  readonly first: number;
  readonly count: number;
}

/** Lists what sources say, by the names of the sources, then in the order of the table. */
@Injectable()
export class AnnotationListReader {
  constructor(
    @Inject(MediaTableStore) private readonly tables: Pick<MediaTableStore, 'open'>,
    private readonly annotations: SourceAnnotations,
  ) {}

  async page({ pointer }: PublishedState, asked: AskedAnnotations): Promise<AnnotationPage> {
    if (pointer === null) return EMPTY;
    const table = await this.tables.open(pointer);
    const placed = await this.sourcesAsked(pointer, table, asked);
    const version = versionName(table.at);
    if (asked.from !== undefined && asked.from.version !== version) throw new StaleCursorError();
    const rows = await this.rowsAsked(table, asked);
    const found: FoundRow[] = [];
    let [total, left] = [0, 0];
    for (const source of placed) {
      const counted =
        rows === undefined
          ? await source.countedRows(asked.label)
          : CountedRows.among(rows, (row) => source.countAt(row, asked.label));
      total += counted.total;
      const start = startIn(counted, source.source.name, asked.from);
      left += counted.total - counted.before(start.place) - start.first;
      found.push(...rowsFrom(source, counted, start, asked.limit - sumOf(found)));
    }
    const annotations = await read(table, found, asked.label);
    return { annotations, next: left > asked.limit ? placeAfter(found.at(-1)!, version) : undefined, total };
  }

  private async sourcesAsked(
    pointer: DatasetPointer,
    table: MediaTable,
    { source: name }: AskedAnnotations,
  ): Promise<readonly PlacedSource[]> {
    if (name === undefined) return this.annotations.all(pointer, table);
    return [(await this.annotations.open(pointer, table, name)) ?? []].flat();
  }

  /** Ascending; undefined if all are. */
  private async rowsAsked(table: MediaTable, { mediaIds }: AskedAnnotations): Promise<readonly number[] | undefined> {
    if (mediaIds === undefined) return undefined;
    const ids = await this.annotations.idsOf(table);
    const rows = new Set(mediaIds.map((id) => ids.rowOfText(id)).filter((row) => row >= 0));
    return [...rows].sort((a, b) => a - b);
  }
}

/** Where a page begins in a source. */
function startIn(counted: CountedRows, source: string, from: ListPlace | undefined): { place: number; first: number } {
  if (from === undefined || source > from.source) return { place: 0, first: 0 };
  if (source < from.source) return { place: counted.rows.length, first: 0 };
  const place = counted.placeOf(from.row);
  return { place, first: counted.rows[place] === from.row ? from.at : 0 };
}

const sumOf = (found: readonly FoundRow[]): number => found.reduce((sum, { count }) => sum + count, 0);

/** The rows of the next annotations, as many as are wanted. */
function rowsFrom(
  source: PlacedSource,
  counted: CountedRows,
  start: { readonly place: number; readonly first: number },
  wanted: number,
): FoundRow[] {
  const found: FoundRow[] = [];
  let [left, { first }] = [wanted, start];
  for (let place = start.place; left > 0 && place < counted.rows.length; place++) {
    const all = counted.before(place + 1) - counted.before(place);
    const count = Math.min(all - first, left);
    if (count > 0) found.push({ source, row: counted.rows[place]!, first, count });
    left -= Math.max(0, count);
    first = 0;
  }
  return found;
}

const placeAfter = ({ source, row, first, count }: FoundRow, version: string): ListPlace => ({
  version,
  source: source.source.name,
  row,
  at: first + count,
});

async function read(
  table: MediaTable,
  found: readonly FoundRow[],
  label: string | undefined,
): Promise<ListedAnnotation[]> {
  const rows = [...new Set(found.map(({ row }) => row))];
  const media = await table.takeRows(rows, ['id', 'path']);
  const mediaOf = new Map(rows.map((row, at) => [row, media[at]!]));
  const bySource = new Map<PlacedSource, FoundRow[]>();
  for (const each of found) {
    const own = bySource.get(each.source);
    if (own === undefined) bySource.set(each.source, [each]);
    else own.push(each);
  }
  const listed: ListedAnnotation[] = [];
  for (const [source, own] of bySource) {
    const lists = await source.annotationsOf(own.map(({ row }) => row));
    for (const [at, { row, first, count }] of own.entries()) {
      const { id: mediaId, path } = mediaOf.get(row)!;
      const matching = lists[at]!.filter((annotation) => label === undefined || annotation.label === label);
      for (const annotation of matching.slice(first, first + count))
        listed.push({ annotation, mediaId, path, source: source.source.name });
    }
  }
  return listed;
}
