import type { Box } from '../../../common/engine/media-table/media-row';

export type PixelBox = readonly [x: number, y: number, width: number, height: number];

/** Whole pixels; a box smaller than a pixel has size 0. */
export const pixelBox = (box: Box, width: number, height: number): PixelBox => scaled(box, width, height, Math.round);

/** Fractional pixels, rounded to remove floating-point noise. */
export const exactPixelBox = (box: Box, width: number, height: number): PixelBox =>
  scaled(box, width, height, (value) => Number(value.toPrecision(12)));

const scaled = (box: Box, width: number, height: number, rounded: (value: number) => number): PixelBox => [
  rounded(box.x * width),
  rounded(box.y * height),
  rounded(box.width * width),
  rounded(box.height * height),
];
