import { withGeneratedLabels, type MediaRow } from '../../../common/engine/media-table/media-row';
import type { AppliedType, Finding } from './findings';

/** The row with the finding of a model. Annotations of people stay. */
export function withFinding(row: MediaRow, type: AppliedType, finding: Finding | undefined): MediaRow {
  // A vector by the model that was applied before cannot be compared with those of this one.
  if (finding === undefined) return type === 'MULTIMODEL_IMAGE_ENCODING' ? { ...row, multimodalEmbedding: null } : row;
  const { found } = finding;
  switch (type) {
    case 'CAPTION_IMAGES':
    case 'CAPTION_OBJECTS':
      return withCaption(row, found === null || !('caption' in found) ? null : found.caption);
    case 'IMAGE_TAGGING':
      return withFoundLabels(row, finding);
    case 'MULTIMODEL_IMAGE_ENCODING':
      return { ...row, multimodalEmbedding: found !== null && 'embedding' in found ? found.embedding : null };
    case 'IMAGE_ENCODING':
      return withEncoding(row, finding);
    case 'OBJECT_DETECTION':
      throw new Error('Objects that are found are rows of their own');
  }
}

/** A picture that the model refused has no vector: nothing is like it. */
export function withEncoding<Row extends Pick<MediaRow, 'embedding'>>(row: Row, { found }: Finding): Row {
  return { ...row, embedding: found !== null && 'embedding' in found ? found.embedding : null };
}

/** The row with the labels that a model found in it. */
export function withFoundLabels<Row extends Pick<MediaRow, 'labels' | 'generatedLabels'>>(
  row: Row,
  finding: Finding | undefined,
): Row {
  if (finding === undefined) return row;
  const { found } = finding;
  return withGeneratedLabels(row, found === null || !('labels' in found) ? null : found.labels);
}

function withCaption(row: MediaRow, generatedCaption: string | null): MediaRow {
  // What people wrote stays, and so does its vector; both are missing where the table is written, and made there.
  const captionEmbedding = row.caption === null ? null : row.captionEmbedding;
  return { ...row, generatedCaption, captionEmbedding, generatedCaptionEmbedding: null };
}
