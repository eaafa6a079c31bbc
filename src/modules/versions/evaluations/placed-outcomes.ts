import { countsAt, visitCounted, type Cuts, type SeeOutcome } from '../../../common/engine/evaluation/counted-outcomes';
import { testOfOutcomes, type OutcomeCondition } from '../../../common/engine/evaluation/outcome-condition';
import { NONE, type Outcomes } from '../../../common/engine/evaluation/outcomes';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import type { MediaIds } from '../annotations/domain/media-ids';
import { IDS_AT_ONCE } from '../annotations/placed-source';

const NO_ROW = -1;

/** Annotations of the truth that another evaluation found. */
export interface FoundElsewhere {
  readonly placed: PlacedOutcomes;
  readonly cuts: Cuts;
}

/** By picture: its row; -1 if it has none. */
export async function rowsOfPictures({ columns }: Outcomes, ids: MediaIds): Promise<Int32Array> {
  const rows = new Int32Array(columns.truthFirsts.length - 1);
  await inSlices(
    rows.length,
    (start, end) => {
      for (let picture = start; picture < end; picture++) rows[picture] = ids.rowOf(columns.ids, picture);
    },
    IDS_AT_ONCE,
  );
  return rows;
}

/** The outcomes of an evaluation on the rows of a version. */
export class PlacedOutcomes {
  constructor(
    readonly outcomes: Outcomes,
    /** By picture, as `rowsOfPictures`. */
    readonly rowOf: Int32Array,
    private readonly rows: number,
  ) {}

  hasPicture(picture: number): boolean {
    return this.rowOf[picture] !== NO_ROW;
  }

  async hasAnyOf(rows: OrdinalSet): Promise<boolean> {
    let found = false;
    await inSlices(this.rowOf.length, (start, end) => {
      for (let picture = start; !found && picture < end; picture++)
        found = this.hasPicture(picture) && rows.has(this.rowOf[picture]!);
    });
    return found;
  }

  /** NONE if the row was not compared. */
  pictureOf(row: number): number {
    return this.rowOf.indexOf(row);
  }

  /** The rows with an outcome that passes; with `found`, only of annotations of the truth that another evaluation found. */
  async rowsWith(condition: OutcomeCondition, cuts: Cuts, found?: FoundElsewhere): Promise<OrdinalSet> {
    const rows = OrdinalSet.none(this.rows);
    const { events, passes } = testOfOutcomes(this.outcomes, condition);
    const keys = found && (await found.placed.foundKeys(found.cuts));
    const { truthKeys } = this.outcomes.columns;
    const see: SeeOutcome = (event, picture, truth, prediction) => {
      if (!passes(event, truth, prediction)) return;
      const row = this.rowOf[picture]!;
      if (row === NO_ROW) return;
      if (keys === undefined || (truth !== NONE && keys(row).has(truthKeys[truth]!))) rows.add(row);
    };
    await visitCounted(this.outcomes, cuts, see, events);
    return rows;
  }

  /** By row: the keys of the annotations of the truth that were found. Asked for rows that follow each other. */
  private async foundKeys(cuts: Cuts): Promise<(row: number) => ReadonlySet<number>> {
    const { columns } = this.outcomes;
    const counts = countsAt(this.outcomes, cuts);
    const pictures = new Int32Array(this.rows).fill(NONE);
    await inSlices(this.rowOf.length, (start, end) => {
      for (let picture = start; picture < end; picture++)
        if (this.hasPicture(picture)) pictures[this.rowOf[picture]!] = picture;
    });
    let last = { row: NO_ROW, keys: new Set<number>() };
    return (row) => {
      if (row === last.row) return last.keys;
      last = { row, keys: new Set() };
      const picture = pictures[row]!;
      if (picture === NONE) return last.keys;
      for (let truth = columns.truthFirsts[picture]!; truth < columns.truthFirsts[picture + 1]!; truth++)
        if (counts(columns.truthPartners[truth]!)) last.keys.add(columns.truthKeys[truth]!);
      return last.keys;
    };
  }
}
