/** How often a label of the truth was taken for another; null stands for the background. */
export interface ConfusionCell {
  readonly truth: string | null;
  readonly predicted: string | null;
  readonly count: number;
}

export type LabelOrder = 'size' | 'mistakes' | 'name';

/** All cells with their place, and the largest count of a row that the colours are relative to. */
export interface ConfusionMatrix<Cell extends ConfusionCell> {
  /** Of rows and columns; the background is the last one. */
  readonly labels: readonly (string | null)[];
  readonly rows: readonly (readonly (Cell | undefined)[])[];
}

const isMistake = ({ truth, predicted }: ConfusionCell): boolean => truth !== predicted;

/** How often each label takes part in a mistake. */
function mistakesBy(cells: readonly ConfusionCell[]): ReadonlyMap<string | null, number> {
  const mistakes = new Map<string | null, number>();
  for (const cell of cells.filter(isMistake))
    for (const label of [cell.truth, cell.predicted]) mistakes.set(label, (mistakes.get(label) ?? 0) + cell.count);
  return mistakes;
}

/** Those of a cell. `all` are those of the service, the largest first. */
export function orderedLabels(
  all: readonly string[],
  cells: readonly ConfusionCell[],
  order: LabelOrder,
): readonly string[] {
  const seen = new Set(cells.flatMap(({ truth, predicted }) => [truth, predicted]));
  const labels = all.filter((label) => seen.has(label));
  if (order === 'size') return labels;
  if (order === 'name') return labels.toSorted((one, other) => one.localeCompare(other));
  const mistakes = mistakesBy(cells);
  return labels.toSorted((one, other) => (mistakes.get(other) ?? 0) - (mistakes.get(one) ?? 0));
}

/** A row and a column for each label, and for the background. */
export function matrixOf<Cell extends ConfusionCell>(
  labels: readonly string[],
  cells: readonly Cell[],
): ConfusionMatrix<Cell> {
  const all: readonly (string | null)[] = [...labels, null];
  const places = new Map(all.map((label, at) => [label, at]));
  const rows = all.map(() => new Array<Cell | undefined>(all.length).fill(undefined));
  for (const cell of cells) {
    const [row, column] = [places.get(cell.truth), places.get(cell.predicted)];
    if (row !== undefined && column !== undefined) rows[row]![column] = cell;
  }
  return { labels: all, rows };
}

/** The share of its row, which is seen even if it is small. */
export function heatOf(count: number, row: readonly (ConfusionCell | undefined)[]): number {
  const sum = row.reduce((total, cell) => total + (cell?.count ?? 0), 0);
  return sum === 0 ? 0 : Math.cbrt(count / sum);
}
