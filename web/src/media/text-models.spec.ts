import { isFoundByMeaningOnly } from './text-models';

const OF_IMAGES = { type: 'IMAGE_ENCODING', entity_type: 'IMAGES' } as const;
const OF_CAPTIONS = { type: 'CAPTION_IMAGES', entity_type: 'IMAGES' } as const;
const OF_OBJECTS = { type: 'MULTIMODEL_IMAGE_ENCODING', entity_type: 'OBJECTS' } as const;

it.each([
  ['pictures that a model compares with texts', [OF_IMAGES], 'IMAGES', true],
  ['frames of videos', [OF_IMAGES], 'VIDEOS', true],
  ['pictures with captions', [OF_CAPTIONS, OF_IMAGES], 'IMAGES', false],
  ['objects where only pictures have captions', [OF_CAPTIONS, OF_OBJECTS], 'OBJECTS', true],
  ['objects where only pictures are compared', [OF_IMAGES], 'OBJECTS', false],
  ['pictures without a model', [], 'IMAGES', false],
] as const)('tells whether texts find %s by meaning only', (_, models, entity, expected) => {
  expect(isFoundByMeaningOnly(models, entity)).toBe(expected);
});
