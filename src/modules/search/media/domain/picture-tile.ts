import { NotFoundError } from '../../../../common/platform/errors/domain-error';

/** In pixels, on a side. */
export const TILE_SIDE = 2_048;
export const MAX_LEVEL = 15;

export interface TilePlace {
  /** 0 is the picture in its own size; each further level has half the size of the one before. */
  readonly level: number;
  readonly column: number;
  readonly row: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export class TileNotFoundError extends NotFoundError {
  constructor({ level, column, row }: TilePlace, { width, height }: Size) {
    super(`The picture has no tile ${level}/${column}/${row}: it is ${width} x ${height} pixels large.`);
  }
}

/** What is cut out of the picture, scaled down to the longest side. */
export function cutFor(place: TilePlace, size: Size) {
  const scale = 2 ** place.level;
  const width = Math.ceil(size.width / scale);
  const height = Math.ceil(size.height / scale);
  const [x, y] = [place.column * TILE_SIDE, place.row * TILE_SIDE];
  if (x >= width || y >= height) throw new TileNotFoundError(place, size);
  return { longestSide: Math.max(width, height), tile: { x, y, width: TILE_SIDE, height: TILE_SIDE } };
}
