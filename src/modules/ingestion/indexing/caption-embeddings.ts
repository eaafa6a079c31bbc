import { shownCaption } from '../../../common/engine/media-table/caption-text';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { TextEmbeddings } from '../../../common/engine/models/text-embeddings';

/** Adds the embeddings of captions to rows that lack them. */
export async function withCaptionEmbeddings(
  rows: readonly MediaRow[],
  texts: TextEmbeddings,
  modelId: string,
): Promise<MediaRow[]> {
  const isBare = (row: MediaRow): boolean => shownCaption(row) !== null && row.captionEmbedding === null;
  const captions = rows.filter(isBare).map((row) => shownCaption(row)!);
  const vectors = captions.length === 0 ? [] : await texts.embed(modelId, captions);
  let next = 0;
  return rows.map((row) => (isBare(row) ? { ...row, captionEmbedding: vectors[next++]! } : row));
}
