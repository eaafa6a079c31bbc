import { DecidedRows } from './decided-rows';

const openAmong = (decided: DecidedRows, ...members: number[]): number[] => [
  ...decided.openAmong(Int32Array.from(members)),
];

describe('decided rows', () => {
  it('remove deleted members from every group', () => {
    const decided = new DecidedRows(9);
    decided.add({ number: 1, kept: [0], removed: [1, 2] });
    expect(openAmong(decided, 0, 1, 2)).toEqual([]);
    expect(openAmong(decided, 1, 3, 4)).toEqual([3, 4]);
    expect(openAmong(decided, 0, 1, 3)).toEqual([0, 3]);
  });

  it('close a group whose members were all marked as different', () => {
    const decided = new DecidedRows(9);
    decided.add({ number: 1, kept: [0, 1, 2], removed: [] });
    expect(openAmong(decided, 0, 2)).toEqual([]);
    expect(openAmong(decided, 0, 1, 2)).toEqual([]);
    expect(openAmong(decided, 0, 1, 2, 3)).toEqual([0, 1, 2, 3]);
  });

  it('combine decisions about pairs', () => {
    const decided = new DecidedRows(9);
    decided.add({ number: 1, kept: [0, 1], removed: [] });
    decided.add({ number: 2, kept: [1, 2], removed: [] });
    expect(openAmong(decided, 0, 1, 2)).toEqual([0, 1, 2]);
    decided.add({ number: 3, kept: [0, 2], removed: [5] });
    expect(openAmong(decided, 0, 1, 2)).toEqual([]);
  });

  it('open a group again when its decision is undone, unless another decision closes it', () => {
    const decided = new DecidedRows(9);
    decided.add({ number: 1, kept: [0], removed: [1] });
    decided.add({ number: 2, kept: [2], removed: [1] });
    decided.undo(1);
    expect(openAmong(decided, 0, 1)).toEqual([]);
    decided.undo(2);
    decided.undo(2);
    expect(openAmong(decided, 0, 1)).toEqual([0, 1]);
    decided.add({ number: 3, kept: [0, 1], removed: [] });
    decided.undo(3);
    expect(openAmong(decided, 0, 1)).toEqual([0, 1]);
  });

  it('can be extended', () => {
    const decided = new DecidedRows(2_000);
    for (let number = 1; number < 500; number++) decided.add({ number, kept: [number], removed: [number + 1_000] });
    expect([...decided.get(499).kept, ...decided.get(499).removed]).toEqual([499, 1_499]);
    expect(openAmong(decided, 7, 1_007)).toEqual([]);
  });
});
