import { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { inSlices } from '../../../../common/platform/concurrency/in-slices';

const SEVERAL = -1;

/** Rows that pass several conditions, and for each condition those that pass all others. Takes two bytes a row, however many conditions there are. */
export class RowsButForOne {
  /** Of each row the number of the only condition that it fails, from 1; 0 if it passes all. */
  private readonly failed: Int16Array;
  private conditions = 0;

  constructor(private readonly among: OrdinalSet) {
    this.failed = new Int16Array(among.rows);
  }

  /** Returns the number of the condition. */
  async add(passed: OrdinalSet): Promise<number> {
    const condition = ++this.conditions;
    const { failed, among } = this;
    await inSlices(failed.length, (start, end) => {
      for (let row = start; row < end; row++)
        if (among.has(row) && !passed.has(row)) failed[row] = failed[row] === 0 ? condition : SEVERAL;
    });
    return condition;
  }

  /** The rows that pass all conditions but perhaps this one. */
  async without(condition: number): Promise<OrdinalSet> {
    const { failed, among } = this;
    const found = OrdinalSet.none(among.rows);
    await inSlices(failed.length, (start, end) => {
      for (let row = start; row < end; row++)
        if (among.has(row) && (failed[row] === 0 || failed[row] === condition)) found.add(row);
    });
    return found;
  }
}
