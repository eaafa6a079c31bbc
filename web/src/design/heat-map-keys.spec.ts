import { goalOf } from './heat-map-keys';

describe('the keys of a heat map', () => {
  const last = { row: 2, column: 3 };
  const goal = (key: string, row: number, column: number, ctrlKey = false) =>
    goalOf({ key, ctrlKey }, { row, column }, last);

  it('move by one cell, and stay within', () => {
    expect(goal('ArrowRight', 1, 1)).toEqual({ row: 1, column: 2 });
    expect(goal('ArrowRight', 1, 3)).toEqual({ row: 1, column: 3 });
    expect(goal('ArrowLeft', 1, 0)).toEqual({ row: 1, column: 0 });
    expect(goal('ArrowDown', 2, 1)).toEqual({ row: 2, column: 1 });
    expect(goal('ArrowUp', 1, 1)).toEqual({ row: 0, column: 1 });
  });

  it('lead to the ends of a row, and with Ctrl of all', () => {
    expect(goal('End', 1, 1)).toEqual({ row: 1, column: 3 });
    expect(goal('Home', 1, 1)).toEqual({ row: 1, column: 0 });
    expect(goal('End', 1, 1, true)).toEqual(last);
    expect(goal('Home', 1, 1, true)).toEqual({ row: 0, column: 0 });
  });

  it('are no others', () => {
    expect(goal('a', 1, 1)).toBeUndefined();
  });
});
