/** Of the API: by a measure, from the lowest value, or from the highest with a minus. */
export const SORTS = [
  '-uniqueness',
  'uniqueness',
  '-outliers',
  '-blur',
  '-dark',
  '-bright',
  '-mislabels',
  '-class_outliers',
  '-file_size',
  'file_size',
  '-width',
  'width',
  '-height',
  'height',
] as const;
export type Sort = (typeof SORTS)[number];
