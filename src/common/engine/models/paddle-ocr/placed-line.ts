/** A line on a page whose usual line is level: its extent across and down the page. */
export interface PlacedLine<Line> {
  readonly line: Line;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** The number of its words, without numbers. */
  readonly words: number;
}

export const middleOf = ({ top, bottom }: PlacedLine<unknown>): number => (top + bottom) / 2;

export const widthOf = ({ left, right }: PlacedLine<unknown>): number => right - left;

export const heightOf = ({ top, bottom }: PlacedLine<unknown>): number => bottom - top;

/** The share of the lower of two lines that is beside the other one. */
export const besideShare = (a: PlacedLine<unknown>, b: PlacedLine<unknown>): number =>
  (Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)) / Math.min(heightOf(a), heightOf(b));
