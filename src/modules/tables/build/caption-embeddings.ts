import { shownCaption, type MediaRow } from '../../../common/engine/media-table/media-row';
import type { Dimensions } from '../../../common/engine/media-table/column-codec';
import type { TextEmbeddings } from '../../../common/engine/models/kept-models';

type CaptionVector = 'captionEmbedding' | 'generatedCaptionEmbedding';

interface TextsOfTable {
  readonly textModelId: string;
  readonly dimensions: Dimensions;
}

/** Adds the embeddings of captions to rows that lack them, as far as the table has columns for them. */
export async function withCaptionEmbeddings(
  rows: readonly MediaRow[],
  texts: TextEmbeddings,
  { textModelId, dimensions }: TextsOfTable,
): Promise<MediaRow[]> {
  const fill = async (filled: readonly MediaRow[], field: CaptionVector, textOf: (row: MediaRow) => string | null) => {
    const isBare = (row: MediaRow): boolean => row[field] === null && textOf(row) !== null;
    const lacking = filled.filter(isBare).map((row) => textOf(row)!);
    const vectors = lacking.length === 0 ? [] : await texts.embed(textModelId, lacking);
    let next = 0;
    return filled.map((row) => (isBare(row) ? { ...row, [field]: vectors[next++]! } : row));
  };
  const described = await fill(rows, 'captionEmbedding', shownCaption);
  if (dimensions.generatedCaptionEmbedding === undefined) return described;
  return fill(described, 'generatedCaptionEmbedding', ({ caption, generatedCaption }) =>
    caption === null ? null : generatedCaption,
  );
}
