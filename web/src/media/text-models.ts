import { pictured, type EntityType } from './explore-address';

interface TextModel {
  readonly type: 'CAPTION_IMAGES' | 'MULTIMODEL_IMAGE_ENCODING' | 'IMAGE_ENCODING';
  readonly entity_type: 'IMAGES' | 'OBJECTS';
}

/** Words are only in captions; where there are none, a text can still be compared with pictures. */
export function isFoundByMeaningOnly(models: readonly TextModel[], entity: EntityType): boolean {
  const types = models.filter((each) => each.entity_type === pictured(entity)).map(({ type }) => type);
  return types.length > 0 && !types.includes('CAPTION_IMAGES');
}
