/** More tiles in the document would make scrolling slow. */
const MOST_TILES = 150;
const FEWEST_COLUMNS = 2;

export interface Room {
  readonly width: number;
  readonly height: number;
  readonly minWidth: number;
  readonly gap: number;
  readonly footer: number;
  readonly overscan: number;
}

/** As many columns as fit; fewer on a large screen, so that the document stays small. */
export function columnsOf({ width, height, minWidth, gap, footer, overscan }: Room): number {
  let columns = Math.max(FEWEST_COLUMNS, Math.floor((width + gap) / (minWidth + gap)));
  const tiles = (): number => {
    const rowHeight = (width + gap) / columns + footer;
    return columns * (Math.ceil(height / rowHeight) + 1 + 2 * overscan);
  };
  while (columns > FEWEST_COLUMNS && tiles() > MOST_TILES) columns -= 1;
  return columns;
}

interface Grid {
  readonly columns: number;
  /** Items that fit on the screen. */
  readonly page: number;
  readonly count: number;
}

/** Where a key moves to; undefined if it is for something else. */
export function moved(key: string, from: number, { columns, page, count }: Grid): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowRight: from + 1,
    ArrowLeft: from - 1,
    ArrowDown: from + columns,
    ArrowUp: from - columns,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  if (target === undefined || count === 0) return undefined;
  const isVertical = key === 'ArrowDown' || key === 'ArrowUp';
  if (isVertical && (target < 0 || target >= count)) return from;
  return Math.max(0, Math.min(count - 1, target));
}

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Cells {
  readonly count: number;
  readonly columns: number;
  /** Of the whole row, without what is around it. */
  readonly width: number;
  /** With the gap below. */
  readonly rowHeight: number;
  readonly gap: number;
}

/** The items that a rectangle touches, whether they are in the document or not. */
export function cellsIn({ left, top, right, bottom }: Rectangle, { count, columns, width, rowHeight, gap }: Cells) {
  const columnWidth = (width + gap) / columns;
  const touched = (from: number, to: number, size: number, most: number): readonly number[] => {
    const first = Math.max(0, Math.floor((from + gap) / size));
    const last = Math.min(most - 1, Math.floor(to / size));
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  };
  const across = touched(left, right, columnWidth, columns);
  // Rows begin below a gap.
  const down = touched(top - gap, bottom - gap, rowHeight, Math.ceil(count / columns));
  return down.flatMap((row) => across.map((column) => row * columns + column)).filter((index) => index < count);
}
