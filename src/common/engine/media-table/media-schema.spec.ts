import { DIMENSIONS } from '../../../../test/support/media-rows';
import type { Dimensions } from './column-codec';
import { dimensionsOf, isLaterColumn, lackingColumns, mediaSchema } from './media-schema';

const FIRST_COLUMNS = [
  ...['id', 'kind', 'parent_id', 'file_name', 'path', 'source', 'mime_type', 'size_bytes', 'width', 'height'],
  ...['sha256', 'perceptual_hash', 'thumbnail_key', 'batch_id', 'box_x', 'box_y', 'box_width', 'box_height'],
  ...['frame_timestamp', 'duration_seconds', 'caption', 'labels', 'sharpness', 'mean_intensity'],
  ...['blur_confidence', 'dark_confidence', 'bright_confidence', 'outlier_confidence', 'uniqueness'],
  ...['nearest_similarity', 'cluster_0', 'cluster_1', 'cluster_2', 'cluster_3', 'cluster_4'],
  ...['embedding', 'caption_embedding', 'card'],
];

it('lists each column missing from the first tables as a later column, which must be nullable', () => {
  const { fields } = mediaSchema({ ...DIMENSIONS, generatedCaptionEmbedding: 2, multimodalEmbedding: 3 });
  const later = fields.filter(({ name }) => isLaterColumn(name));
  const others = fields.filter(({ name }) => !isLaterColumn(name)).map(({ name }) => name);
  expect(others.sort()).toEqual([...FIRST_COLUMNS].sort());
  expect(later.every(({ nullable }) => nullable)).toBe(true);
});

it('has columns of multimodal embeddings and of generated captions only in tables that need them', () => {
  const columnsOf = (dimensions: Dimensions): string[] => mediaSchema(dimensions).fields.map(({ name }) => name);
  const ofModel = { ...DIMENSIONS, generatedCaptionEmbedding: 2, multimodalEmbedding: 3 };
  for (const column of ['multimodal_embedding', 'generated_caption_embedding']) {
    expect(columnsOf(ofModel)).toContain(column);
    expect(columnsOf(DIMENSIONS)).not.toContain(column);
  }
  for (const dimensions of [ofModel, DIMENSIONS]) {
    expect(dimensionsOf(mediaSchema(dimensions))).toEqual(dimensions);
    expect(lackingColumns(mediaSchema(dimensions))).toEqual([]);
  }
});
