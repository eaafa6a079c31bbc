import { keepOrder, type KeepColumns, type KeepRule } from './keep-columns';

/** 0 and 1 are exact copies; 2 is larger, blurred and new; 3 is small, sharp and old. */
const COLUMNS: KeepColumns = {
  width: [100, 100, 200, 50],
  height: [100, 100, 100, 50],
  bytes: [900, 900, 700, 100],
  sharpness: [40, 40, 10, 90],
  batch: [1, 1, 1, 0],
  batchTimes: [1_000, 2_000],
  pathLength: [14, 9, 9, 9],
  folder: [0, 0, 1, 2],
  folderNames: ['raw/2024', 'edited', 'raw'],
};

const orderBy = (name: KeepRule['name'], ...folders: string[]): number[] =>
  [0, 1, 2, 3].sort(keepOrder({ name, folders }, COLUMNS));

describe('the order in which members are kept', () => {
  it.each([
    ['largest', [], [2, 1, 0, 3]],
    ['sharpest', [], [3, 1, 0, 2]],
    ['oldest', [], [3, 2, 1, 0]],
    ['folder', ['raw'], [1, 0, 3, 2]],
    ['folder', ['edited', 'raw/2024'], [2, 1, 0, 3]],
  ] as const)('by %s %j', (name, folders, expected) => expect(orderBy(name, ...folders)).toEqual(expected));
});
