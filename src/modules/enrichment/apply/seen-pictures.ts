import { inList } from '../../../common/engine/media-table/literal';
import { kindCode } from '../../../common/engine/media-table/media-schema';
import type { EntityKind, MediaRow } from '../../../common/engine/media-table/media-row';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import type { RowSource } from '../../ingestion/for-operations';

const SEEN_FIELDS = ['id', 'path', 'source', 'box'] as const;
export type SeenRow = Pick<MediaRow, (typeof SEEN_FIELDS)[number]>;

/** The rows that models look at, in the same order each time. */
export interface SeenPictures {
  count(kinds: readonly EntityKind[]): Promise<number>;
  rows(kinds: readonly EntityKind[], skip: number): AsyncGenerator<SeenRow>;
}

export function picturesOfTable(table: MediaTable): SeenPictures {
  const filterOf = (kinds: readonly EntityKind[]): string => `kind IN ${inList(kinds.map(kindCode))}`;
  return {
    count: (kinds) => table.countRows(filterOf(kinds)),
    async *rows(kinds, skip) {
      let at = 0;
      for await (const batch of table.readRows(SEEN_FIELDS, { filter: filterOf(kinds), batchRows: 1024 })) {
        for (const row of batch) if (at++ >= skip) yield row;
      }
    },
  };
}

export function picturesOfRows(source: RowSource): SeenPictures {
  const { images, videos, frames, objects } = source.counts;
  const counts: Readonly<Record<EntityKind, number>> = {
    IMAGE: images,
    VIDEO: videos,
    FRAME: frames,
    OBJECT: objects,
  };
  return {
    count: (kinds) => Promise.resolve(kinds.reduce((sum, kind) => sum + counts[kind], 0)),
    async *rows(kinds, skip) {
      let at = 0;
      for await (const row of source.rows()) if (kinds.includes(row.kind) && at++ >= skip) yield row;
    },
  };
}
