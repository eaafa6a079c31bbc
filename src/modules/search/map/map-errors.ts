import { BadRequestError, ConflictError } from '../../../common/platform/errors/domain-error';
import { MAX_ZOOM, type MapTile } from '../../versions';

export class MapChangedError extends ConflictError {
  constructor() {
    super('The dataset has changed since this map was made. Ask for the map again, and use its map_version.');
  }
}

export class NoSuchTileError extends BadRequestError {
  constructor({ z, x, y }: MapTile) {
    super(`The map has no tile ${z}/${x}/${y}: z is 0 to ${MAX_ZOOM}, and x and y are 0 to 2^z - 1.`);
  }
}

export class NoSuchRowError extends BadRequestError {
  constructor(row: number, rows: number) {
    super(`The dataset has no row ${row}: its rows are numbered from 0, and it has ${rows}.`);
  }
}
