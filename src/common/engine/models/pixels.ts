/** An upright picture in memory: sRGB, three bytes a pixel, row by row. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** The size of the picture in its file, if it was scaled down: by rounding, its proportions are not quite those of the pixels. */
  readonly original?: { readonly width: number; readonly height: number };
}
