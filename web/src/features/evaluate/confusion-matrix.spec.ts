import { heatOf, matrixOf, orderedLabels } from './confusion-matrix';

const cell = (truth: string | null, predicted: string | null, count: number) => ({ truth, predicted, count });
const cells = [
  cell('cat', 'cat', 90),
  cell('cat', 'dog', 9),
  cell('dog', 'dog', 5),
  cell('ant', null, 20),
  cell(null, 'dog', 3),
];

describe('a confusion matrix', () => {
  it('has a place for each pair, the background last', () => {
    const { labels, rows } = matrixOf(['cat', 'dog'], cells);
    expect(labels).toEqual(['cat', 'dog', null]);
    expect(rows.map((row) => row.map((each) => each?.count ?? 0))).toEqual([
      [90, 9, 0],
      [0, 5, 0],
      [0, 3, 0],
    ]);
  });

  it('has its labels in the wanted order', () => {
    const labels = ['cat', 'dog', 'ant', 'never seen'];
    expect(orderedLabels(labels, cells, 'size')).toEqual(['cat', 'dog', 'ant']);
    expect(orderedLabels(labels, cells, 'name')).toEqual(['ant', 'cat', 'dog']);
    expect(orderedLabels(labels, cells, 'mistakes')).toEqual(['ant', 'dog', 'cat']);
  });

  it('has colours by the share of a row', () => {
    const { rows } = matrixOf(['cat', 'dog'], cells);
    expect(heatOf(0, rows[0]!)).toBe(0);
    expect(heatOf(99, rows[0]!)).toBe(1);
    expect(heatOf(0, [])).toBe(0);
    expect(heatOf(9, rows[0]!)).toBeGreaterThan(0.25);
  });
});
