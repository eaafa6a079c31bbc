export interface Place {
  readonly row: number;
  readonly column: number;
}

interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
}

/** Where a key leads in a grid that ends at `last`; undefined of keys that lead nowhere. */
export function goalOf({ key, ctrlKey }: Pressed, { row, column }: Place, last: Place): Place | undefined {
  switch (key) {
    case 'ArrowLeft':
      return { row, column: Math.max(0, column - 1) };
    case 'ArrowRight':
      return { row, column: Math.min(last.column, column + 1) };
    case 'ArrowUp':
      return { row: Math.max(0, row - 1), column };
    case 'ArrowDown':
      return { row: Math.min(last.row, row + 1), column };
    case 'Home':
      return { row: ctrlKey ? 0 : row, column: 0 };
    case 'End':
      return { row: ctrlKey ? last.row : row, column: last.column };
    default:
      return undefined;
  }
}
