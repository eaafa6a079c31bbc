import type { Palette } from './palette';
import type { MapTile } from './tile-format';
import type { Size, View } from './viewport';

export interface Frame {
  readonly view: View;
  readonly size: Size;
  /** Pixels of the screen in one of the page. */
  readonly ratio: number;
  readonly pointPx: number;
  readonly palette: Palette;
  /** Whether some points do not match, or are of a value that is not looked at. */
  readonly hasDimmed: boolean;
  /** The only value that is looked at, as its place in the palette. */
  readonly highlighted: number | null;
}

/** Draws points on the canvas. */
export interface Drawing {
  /** Whether it draws only some of very many points. */
  readonly isSample: boolean;
  /** Tiles that are first lie below. */
  readonly draw: (tiles: readonly MapTile[], frame: Frame) => void;
  /** Releases the buffers of a tile. */
  readonly forget: (tile: MapTile) => void;
  readonly dispose: () => void;
}

/** Of points that do not match. */
export const DIMMED_ALPHA = 0.4;

const LEAST_ALPHA = 0.4;

/** A point that represents more hidden ones is stronger, so that tiles that show different shares look alike. */
export const alphaOf = (alpha: number, share: number, leastShare: number): number =>
  share <= leastShare ? alpha : Math.max(LEAST_ALPHA, 1 - (1 - alpha) ** (leastShare / share));

/** Small points are many: where they lie over each other can be seen through them. */
export const pointAlpha = (pointPx: number): number => Math.min(0.92, 0.55 + 0.06 * pointPx);
