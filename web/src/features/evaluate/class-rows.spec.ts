import { columnsIn, comparedRows, merged, nextOrder, sortedRows, type ClassRow } from './class-rows';

const rows: readonly ClassRow[] = [
  { label: 'cat', AP: 0.4, n_truth: 7 },
  { label: 'ant', AP: -1, n_truth: 0 },
  { label: 'dog', AP: 0.9, n_truth: 7 },
  { label: 'bee', AP: null, n_truth: 2 },
];

const labels = (by: string, isDescending: boolean) => sortedRows(rows, { by, isDescending }).map(({ label }) => label);

describe('the table of labels', () => {
  it('is ordered by any column, with unknown figures last', () => {
    expect(labels('label', false)).toEqual(['ant', 'bee', 'cat', 'dog']);
    expect(labels('AP', true)).toEqual(['dog', 'cat', 'ant', 'bee']);
    expect(labels('AP', false)).toEqual(['cat', 'dog', 'ant', 'bee']);
    expect(labels('n_truth', true)).toEqual(['cat', 'dog', 'bee', 'ant']);
  });

  it('is turned around by the same column, and begins with the largest of another', () => {
    expect(nextOrder({ by: 'AP', isDescending: true }, 'AP')).toEqual({ by: 'AP', isDescending: false });
    expect(nextOrder({ by: 'AP', isDescending: false }, 'f1')).toEqual({ by: 'f1', isDescending: true });
    expect(nextOrder({ by: 'AP', isDescending: false }, 'label')).toEqual({ by: 'label', isDescending: false });
  });

  it('has only labels that were compared', () => {
    const counts = (n_truth: number, n_predictions: number) => ({ n_truth, n_predictions });
    expect(comparedRows([counts(0, 0), counts(1, 0), counts(0, 2)])).toEqual([counts(1, 0), counts(0, 2)]);
  });

  it('takes counts of another list in', () => {
    expect(merged(rows, [{ label: 'cat', tp: 3, AP: 0.5 }])[0]).toEqual({ label: 'cat', AP: 0.5, n_truth: 7, tp: 3 });
    expect(columnsIn(rows, ['f1', 'AP', 'n_truth'])).toEqual(['AP', 'n_truth']);
  });
});
