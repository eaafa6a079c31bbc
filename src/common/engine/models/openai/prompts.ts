import type { PictureSize, BoxUnit } from '../servers/checked-findings';

/** The prompt if neither the request nor the manifest has one. */
export const CAPTION_PROMPT =
  'Describe this image in one or two sentences: what it shows, what happens, and where. Answer with the description only.';

export const OBJECT_CAPTION_PROMPT =
  'This image is a part of a larger one and shows one object. Describe the object in one sentence: what it is, its colour and its state. Answer with the description only.';

export const TAGGING_PROMPT =
  'List what this image shows as at most 20 labels of one to three words in lower case: objects, the scene, and notable properties. Answer with JSON only: {"labels": [{"label": "bicycle", "confidence": 0.9}]}. The confidence is between 0 and 1.';

export const EMBEDDING_PROMPT = 'Represent the given image.';

const UNITS: Readonly<Record<BoxUnit, (size: PictureSize) => string>> = {
  fractions: () => 'fractions of the width and the height, between 0 and 1',
  thousandths: () => 'integers between 0 and 1000, relative to the width and the height',
  pixels: ({ width, height }) => `pixels; the image is ${width} pixels wide and ${height} high`,
};

export const detectionPrompt = (unit: BoxUnit, size: PictureSize): string =>
  `Find the objects in this image. Answer with JSON only: {"objects": [{"label": "bicycle", "bbox_2d": [left, top, right, bottom], "confidence": 0.9}]}. The four numbers are ${UNITS[unit](size)}. The confidence is between 0 and 1. If there are no objects, the list is empty.`;
