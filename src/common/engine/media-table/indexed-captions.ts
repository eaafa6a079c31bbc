import type { Table } from '@lancedb/lancedb';
import { captionIndex } from './caption-index';
import { CAPTION_COLUMN, CAPTION_TEXT_COLUMN } from './caption-text';

/** The column whose index is searched by keywords; undefined if there is none. */
export async function indexedCaptionsOf(table: Table): Promise<string | undefined> {
  const indexed = (await table.listIndices()).flatMap(({ columns }) => columns);
  return [CAPTION_TEXT_COLUMN, CAPTION_COLUMN].find((column) => indexed.includes(column));
}

/** Rows that were copied from a table of an earlier version have captions only in its column. */
export async function indexCaptions(table: Table): Promise<void> {
  for (const column of [CAPTION_TEXT_COLUMN, CAPTION_COLUMN]) {
    if ((await table.countRows(`${column} IS NOT NULL`)) === 0) continue;
    await table.createIndex(column, { config: captionIndex() });
    return;
  }
}
