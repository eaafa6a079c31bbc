import { join } from 'node:path';

export const BUILT_IN_MODELS = join(__dirname, '..', '..', '..', 'models');

export const DEFAULT_IMAGE_MODEL = 'fixed-filters_v01';
export const DEFAULT_TEXT_MODEL = 'hashed-words_v00';
