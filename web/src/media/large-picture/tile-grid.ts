/** Of the service, in pixels on a side. */
export const TILE_SIDE = 2_048;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A tile, and its place in fractions of the picture. */
export interface Tile {
  readonly level: number;
  readonly column: number;
  readonly row: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The level at which one tile is the whole picture. */
export const wholeLevel = ({ width, height }: Size): number =>
  Math.max(0, Math.ceil(Math.log2(Math.max(width, height) / TILE_SIDE)));

/** The level with as many pixels as are shown, or more. */
export const levelFor = (size: Size, shownWidth: number): number =>
  Math.max(0, Math.min(wholeLevel(size), Math.floor(Math.log2(size.width / Math.max(1, shownWidth)))));

export function tilesOf(size: Size, level: number): readonly Tile[] {
  const side = TILE_SIDE * 2 ** level;
  const columns = Math.ceil(size.width / side);
  const rows = Math.ceil(size.height / side);
  return Array.from({ length: columns * rows }, (_, at) => {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    const [x, y] = [column * side, row * side];
    return {
      ...{ level, column, row, left: x / size.width, top: y / size.height },
      width: Math.min(side, size.width - x) / size.width,
      height: Math.min(side, size.height - y) / size.height,
    };
  });
}
