import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { TextEmbeddings } from '../../../common/engine/models/text-embeddings';

/** The same rows, those with a caption with its embedding; what has one already keeps it. */
export async function withCaptionEmbeddings(
  rows: readonly MediaRow[],
  texts: TextEmbeddings,
  modelId: string,
): Promise<MediaRow[]> {
  const isBare = (row: MediaRow): row is MediaRow & { caption: string } =>
    row.caption !== null && row.captionEmbedding === null;
  const captions = rows.filter(isBare).map(({ caption }) => caption);
  const vectors = captions.length === 0 ? [] : await texts.embed(modelId, captions);
  let next = 0;
  return rows.map((row) => (isBare(row) ? { ...row, captionEmbedding: vectors[next++]! } : row));
}
