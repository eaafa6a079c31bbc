import { plantedSlice } from '../../../../../test/support/planted-slice';
import { compareSlices } from './compare-slices';
import { sliceUnits, type SliceUnits } from './slice-units';
import { comparisonInThread } from './slices-in-thread';

const PICTURES = 3000;
const STUDY = plantedSlice(PICTURES, 2, false);
/** A folder. */
const FOLDER = 3;

const unitsOf = (): Promise<SliceUnits> => sliceUnits(STUDY.outcomes, new Float64Array(10));

/** The second evaluation finds nothing of every other unit in pictures of the folder. */
function withRegression({ firsts, labels, sizes, columns }: SliceUnits): SliceUnits {
  const second = columns.map((column) => column.slice());
  const { firsts: starts, held } = STUDY.conditions;
  for (let picture = 0; picture < PICTURES; picture++)
    if (held.subarray(starts[picture], starts[picture + 1]).includes(FOLDER))
      for (let unit = firsts[picture]!; unit < firsts[picture + 1]!; unit += 2) second[0]![unit] = 0;
  return { firsts, labels, sizes, columns: [...columns, ...second] };
}

describe('compareSlices', () => {
  it('finds where the second is worse, with the differences of both', async () => {
    const units = withRegression(await unitsOf());
    const { figures, regressions } = compareSlices(units, STUDY.conditions, 1);
    expect(regressions.map(({ conditions }) => conditions)).toEqual([[FOLDER]]);
    const [{ first, second, interval }] = regressions as [(typeof regressions)[number]];
    expect(interval![0]).toBeLessThan(second - first);
    expect(interval![1]).toBeGreaterThan(second - first);
    expect(interval![1]).toBeLessThan(0);
    expect(figures.map(({ name }) => name)).toEqual(['precision', 'recall', 'f1']);
    for (const { first: of, second: than, interval: within } of figures) {
      expect(than).toBeLessThan(of);
      expect(within![0]).toBeLessThan(than - of);
      expect(within![1]).toBeGreaterThan(than - of);
    }
  });

  it('finds nothing between equal evaluations, nor where the second is better', async () => {
    const { columns, ...units } = await unitsOf();
    const equal = compareSlices({ ...units, columns: [...columns, ...columns] }, STUDY.conditions, 1);
    expect(equal.regressions).toEqual([]);
    expect(equal.figures.every(({ first, second, interval }) => first === second && interval!.join() === '0,0')).toBe(
      true,
    );
    const { columns: worse } = withRegression({ ...units, columns });
    const better = { ...units, columns: [...worse.slice(3), ...worse.slice(0, 3)] };
    expect(compareSlices(better, STUDY.conditions, 1).regressions).toEqual([]);
  });

  it('compares the same in a thread', async () => {
    const units = withRegression(await unitsOf());
    expect(await comparisonInThread(units, STUDY.conditions)).toEqual(compareSlices(units, STUDY.conditions, 1));
  });
});
