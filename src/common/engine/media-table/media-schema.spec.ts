import { DIMENSIONS } from '../../../../test/support/media-rows';
import type { Dimensions } from './column-codec';
import { dimensionsOf, FIRST_COLUMNS, isLaterColumn, lackingColumns, mediaSchema } from './media-schema';

it('has every column of the first tables, and other columns only if they are nullable', () => {
  const { fields } = mediaSchema({ ...DIMENSIONS, generatedCaptionEmbedding: 2, multimodalEmbedding: 3 });
  const later = fields.filter(({ name }) => isLaterColumn(name));
  const others = fields.filter(({ name }) => !isLaterColumn(name)).map(({ name }) => name);
  expect(others.sort()).toEqual([...FIRST_COLUMNS].sort());
  expect(later.filter(({ nullable }) => !nullable).map(({ name }) => name)).toEqual([]);
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
