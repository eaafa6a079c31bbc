import { Inject, Injectable } from '@nestjs/common';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import { versionName } from '../../common/engine/media-table/table-version';
import { inSlices } from '../../common/platform/concurrency/in-slices';
import type { DatasetPointer } from '../datasets';
import { SourceAnnotations, type PlacedSource, type PublishedState } from '../versions';
import type { ListedAnnotation } from './domain/listed-annotation';
import { type ListPlace, StaleCursorError } from './domain/list-cursor';

export interface AskedAnnotations {
  readonly source?: string | undefined;
  readonly label?: string | undefined;
  readonly mediaId?: string | undefined;
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
    let [total, from] = [0, 0];
    for (const source of placed) {
      const countOf = source.counter(asked.label === undefined ? undefined : [asked.label]);
      await inSlices(rows?.length ?? source.rows, (start, end) => {
        for (let at = start; at < end; at++) {
          const row = rows?.[at] ?? at;
          const count = countOf(row);
          total += count;
          const first = firstOf(asked.from, source.source.name, row);
          if (first >= count) continue;
          const left = asked.limit - from;
          if (left > 0) found.push({ source, row, first, count: Math.min(count - first, left) });
          from += count - first;
        }
      });
    }
    const annotations = await read(table, found, asked.label);
    return { annotations, next: from > asked.limit ? placeAfter(found.at(-1)!, version) : undefined, total };
  }

  private async sourcesAsked(
    pointer: DatasetPointer,
    table: MediaTable,
    { source: name }: AskedAnnotations,
  ): Promise<readonly PlacedSource[]> {
    if (name !== undefined) return [(await this.annotations.open(pointer, table, name)) ?? []].flat();
    const sources = await this.annotations.list(pointer, table);
    return Promise.all(sources.map((source) => this.annotations.place(source, pointer, table)));
  }

  private async rowsAsked(table: MediaTable, { mediaId }: AskedAnnotations): Promise<readonly number[] | undefined> {
    if (mediaId === undefined) return undefined;
    const row = (await this.annotations.idsOf(table)).rowOfText(mediaId);
    return row < 0 ? [] : [row];
  }
}

/** Which annotation of a row a page begins with. */
function firstOf(from: ListPlace | undefined, source: string, row: number): number {
  if (from === undefined || source > from.source || (source === from.source && row > from.row)) return 0;
  return source === from.source && row === from.row ? from.at : Infinity;
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
