import { figureOf } from './figure-texts';

/** A label, with its figures by name. */
export interface ClassRow {
  readonly label: string;
  readonly [figure: string]: number | string | null;
}

/** Labels of pictures and of other shapes are no rows of boxes. */
export const comparedRows = <Row extends { readonly n_truth: number; readonly n_predictions: number }>(
  rows: readonly Row[],
): readonly Row[] => rows.filter(({ n_truth: truth, n_predictions: predictions }) => truth + predictions > 0);

export interface ClassOrder {
  readonly by: string;
  readonly isDescending: boolean;
}

/** Labels without the figure come last, whatever the order. */
export function sortedRows(rows: readonly ClassRow[], { by, isDescending }: ClassOrder): readonly ClassRow[] {
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((one, other) => {
    if (by === 'label') return sign * one.label.localeCompare(other.label);
    const [left, right] = [figureOf(one, by), figureOf(other, by)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * (left - right) || one.label.localeCompare(other.label);
  });
}

/** Texts from A on, numbers from the largest on; the same column again turns the order around. */
export const nextOrder = (order: ClassOrder, by: string): ClassOrder => ({
  by,
  isDescending: order.by === by ? !order.isDescending : by !== 'label',
});

/** Figures of both lists by label; those of the second win. */
export function merged(rows: readonly ClassRow[], more: readonly ClassRow[]): readonly ClassRow[] {
  const byLabel = new Map(more.map((row) => [row.label, row]));
  return rows.map((row) => ({ ...row, ...byLabel.get(row.label) }));
}

/** Of the wanted columns, those that a row has. */
export const columnsIn = (rows: readonly ClassRow[], wanted: readonly string[]): readonly string[] =>
  wanted.filter((name) => rows.some((row) => row[name] !== undefined));
