import type { MediaRow } from '../../../common/media-table/media-row';
import type { TextEmbedding } from '../../../common/models/text-embedding';

/** The same rows, those with a caption with its embedding. */
export async function withCaptionEmbeddings(rows: readonly MediaRow[], model: TextEmbedding): Promise<MediaRow[]> {
  const captions = rows.flatMap(({ caption }) => (caption === null ? [] : [caption]));
  const vectors = captions.length === 0 ? [] : await model.embed(captions);
  let next = 0;
  return rows.map((row) => (row.caption === null ? row : { ...row, captionEmbedding: vectors[next++]! }));
}
