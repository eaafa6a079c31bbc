export const DEFAULT_IMAGE_MODEL = 'fixed-filters_v01';
export const DEFAULT_TEXT_MODEL = 'hashed-words_v00';
