import { Inject, Injectable } from '@nestjs/common';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import type { DatasetPointer } from '../../datasets';
import { SourceAnnotations, type PublishedState } from '../../versions';
import type { ListedAnnotation } from '../domain/listed-annotation';
import type { PictureChange, PlacedAnnotation } from '../domain/picture-change';
import {
  AnnotationChangeRepository,
  type ChangeFilter,
  type ChangeRow,
} from '../persistence/annotation-change.repository';
import { ChangeContent, MOST_CONTENT_BYTES } from './change-content';

/** So many pictures of a change are listed, unless one is asked for. */
export const MOST_SHOWN = 10;

export interface ShownPicture {
  readonly mediaId: string;
  readonly path: string;
  readonly before: readonly ListedAnnotation[];
  readonly after: readonly ListedAnnotation[];
}

export interface ListedChange extends ChangeRow {
  readonly pictures: readonly ShownPicture[];
}

export interface HistoryPage {
  readonly changes: readonly ListedChange[];
  /** The number of the last change, if there are more. */
  readonly next: number | undefined;
}

/** Lists the changes of sources. */
@Injectable()
export class AnnotationHistoryReader {
  constructor(
    private readonly kept: AnnotationChangeRepository,
    private readonly annotations: SourceAnnotations,
    @Inject(MediaTableStore) private readonly tables: Pick<MediaTableStore, 'open'>,
  ) {}

  /** A page with large changes has fewer of them. */
  async page({ datasetId, pointer }: PublishedState, filter: ChangeFilter, limit: number): Promise<HistoryPage> {
    const found = await this.kept.page(datasetId, filter, { limit: limit + 1, mostShown: MOST_SHOWN });
    const rows = found.slice(0, Math.min(limit, countWithin(found)));
    const pathOf = await this.pathsOf(pointer, rows);
    const contents = await this.kept.contentsOf(rows.flatMap(({ id, hasContent }) => (hasContent ? [id] : [])));
    const changes: ListedChange[] = [];
    for (const row of rows) {
      const content = contents.get(row.id);
      const pictures = content && picturesOf(row, await ChangeContent.unpacked(content), pathOf);
      changes.push({ ...row, pictures: pictures ?? [] });
    }
    return { changes, next: rows.length < found.length ? Number(rows.at(-1)!.number) : undefined };
  }

  /** By the id of the medium, of those that the dataset has. */
  private async pathsOf(
    pointer: DatasetPointer | null,
    changes: readonly ChangeRow[],
  ): Promise<ReadonlyMap<string, string>> {
    const wanted = [...new Set(changes.flatMap(({ shown }) => shown))];
    if (pointer === null || wanted.length === 0) return new Map();
    const table = await this.tables.open(pointer);
    const ids = await this.annotations.idsOf(table);
    const rows = wanted.map((id) => ids.rowOfText(id)).filter((row) => row >= 0);
    const media = await table.takeRows(rows, ['id', 'path']);
    return new Map(media.map(({ id, path }) => [id, path]));
  }
}

/** How many changes have content that is read for one page, at least one. */
function countWithin(changes: readonly ChangeRow[]): number {
  let bytes = 0;
  const first = changes.findIndex(({ contentBytes }) => (bytes += contentBytes) > MOST_CONTENT_BYTES);
  return first < 0 ? changes.length : Math.max(1, first);
}

function picturesOf(
  { source, shown, firstShown }: ChangeRow,
  content: ChangeContent,
  pathOf: ReadonlyMap<string, string>,
): ShownPicture[] {
  return shown.flatMap((mediaId, at) => {
    const path = pathOf.get(mediaId);
    if (path === undefined) return [];
    const listed = ({ annotation }: PlacedAnnotation): ListedAnnotation => ({ annotation, mediaId, path, source });
    const { before, after }: PictureChange = content.picture(firstShown + at);
    return [{ mediaId, path, before: before.map(listed), after: after.map(listed) }];
  });
}
