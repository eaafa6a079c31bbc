import type { Box } from '../../../common/media-table/media-row';

export type PixelBox = readonly [x: number, y: number, width: number, height: number];

/** Whole pixels. */
export const pixelBox = (box: Box, width: number, height: number): PixelBox => [
  Math.round(box.x * width),
  Math.round(box.y * height),
  Math.round(box.width * width),
  Math.round(box.height * height),
];
