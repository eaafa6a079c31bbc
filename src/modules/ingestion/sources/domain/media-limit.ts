export const tooManyMedia = (maxImages: number): string =>
  `Image limit exceeded: a dataset may hold ${maxImages} files (MAX_NUM_OF_IMAGES)`;
