import type { MediaTable } from '../../common/engine/media-table/media-table';
import { OrdinalSet } from '../../common/engine/media-table/ordinal-set';

const BATCH_ROWS = 8_192;

/** Resolves a selection to images and frames: a video to its frames, an object to its image. */
export async function exportedRows(table: MediaTable, selected: OrdinalSet): Promise<OrdinalSet> {
  const items = OrdinalSet.none(table.rows);
  const [images, videos] = [new Set<string>(), new Set<string>()];
  await eachRow(table, (row, { id, kind, parentId }) => {
    if (!selected.has(row)) return;
    if (kind === 'IMAGE' || kind === 'FRAME') items.add(row);
    else if (kind === 'VIDEO') videos.add(id);
    else if (parentId !== null) images.add(parentId);
  });
  if (images.size + videos.size === 0) return items;
  await eachRow(table, (row, { id, kind, parentId }) => {
    if (kind === 'IMAGE' ? images.has(id) : kind === 'FRAME' && videos.has(parentId!)) items.add(row);
  });
  return items;
}

async function eachRow(
  table: MediaTable,
  visit: (ordinal: number, row: { id: string; kind: string; parentId: string | null }) => void,
): Promise<void> {
  let ordinal = 0;
  for await (const rows of table.readRows(['id', 'kind', 'parentId'], { batchRows: BATCH_ROWS }))
    for (const row of rows) visit(ordinal++, row);
}
