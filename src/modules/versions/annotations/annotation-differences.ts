import { isDeepStrictEqual } from 'node:util';
import type { Annotation } from '../../../common/engine/annotations/annotation';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { isSameVersion } from '../../../common/engine/media-table/table-version';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import type { DatasetPointer } from '../../datasets';
import type { MediaIds } from './domain/media-ids';
import type { PlacedSource } from './placed-source';
import type { SourceAnnotations } from './source-annotations';

/** Each takes two searches for an id. */
const ROWS_AT_ONCE = 2 ** 14;
const PICTURES_AT_ONCE = 256;

/** How many annotations of a source differ between two states. */
export interface SourceDifferences {
  readonly source: string;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** Of the later table: the pictures that have them. */
  readonly rows: OrdinalSet;
}

interface State {
  readonly pointer: DatasetPointer;
  readonly table: MediaTable;
}

/** By the names of the sources, without those that are the same. Only pictures whose files differ are read. */
export async function annotationDifferences(
  annotations: SourceAnnotations,
  before: State,
  after: State,
): Promise<SourceDifferences[]> {
  const found: SourceDifferences[] = [];
  const [idsBefore, ids] = [await annotations.idsOf(before.table), await annotations.idsOf(after.table)];
  const names = new Set([
    ...(await annotations.names(before.pointer, before.table)),
    ...(await annotations.names(after.pointer, after.table)),
  ]);
  for (const name of [...names].sort()) {
    const [earlier, later] = [
      await annotations.open(before.pointer, before.table, name),
      await annotations.open(after.pointer, after.table, name),
    ];
    if (isSameVersion(before.pointer, after.pointer) && isDeepStrictEqual(filesOf(earlier), filesOf(later))) continue;
    const differences = new SourceComparison({ placed: earlier, ids: idsBefore }, { placed: later, ids });
    await differences.compare();
    if (differences.total > 0) found.push({ source: name, ...differences.found });
  }
  return found;
}

const filesOf = (placed: PlacedSource | undefined): string[] | undefined => placed?.source.segments.map(({ id }) => id);

interface Side {
  readonly placed: PlacedSource | undefined;
  readonly ids: MediaIds;
}

class SourceComparison {
  private added = 0;
  private removed = 0;
  private changed = 0;
  private readonly rows: OrdinalSet;
  /** Rows before and after of pictures that both states have in different files. */
  private readonly toRead: (readonly [before: number, after: number])[] = [];

  constructor(
    private readonly before: Side,
    private readonly after: Side,
  ) {
    this.rows = OrdinalSet.none(after.ids.rows);
  }

  get found(): Omit<SourceDifferences, 'source'> {
    const { added, removed, changed, rows } = this;
    return { added, removed, changed, rows };
  }

  get total(): number {
    return this.added + this.removed + this.changed;
  }

  async compare(): Promise<void> {
    const { before, after } = this;
    await inSlices(
      after.ids.rows,
      (start, end) => {
        for (let row = start; row < end; row++) this.place(before.ids.rowOfSame(after.ids, row), row);
      },
      ROWS_AT_ONCE,
    );
    await inSlices(
      before.placed === undefined ? 0 : before.ids.rows,
      (start, end) => {
        for (let row = start; row < end; row++)
          if (after.ids.rowOfSame(before.ids, row) < 0) this.removed += before.placed!.countAt(row);
      },
      ROWS_AT_ONCE,
    );
    for (let at = 0; at < this.toRead.length; at += PICTURES_AT_ONCE)
      await this.read(this.toRead.slice(at, at + PICTURES_AT_ONCE));
  }

  /** `rowBefore` is negative for a picture that is new. */
  private place(rowBefore: number, row: number): void {
    const before = rowBefore < 0 ? undefined : this.before.placed?.pictureAt(rowBefore);
    const after = this.after.placed?.pictureAt(row);
    if (before !== undefined && after !== undefined) {
      if (!before.part.saysSame(before.picture, after.part, after.picture)) this.toRead.push([rowBefore, row]);
      return;
    }
    const added = after === undefined ? 0 : this.after.placed!.countAt(row);
    const removed = before === undefined ? 0 : this.before.placed!.countAt(rowBefore);
    this.add(row, { added, removed, changed: 0 });
  }

  private async read(pairs: readonly (readonly [before: number, after: number])[]): Promise<void> {
    const earlier = await this.before.placed!.annotationsOf(pairs.map(([before]) => before));
    const later = await this.after.placed!.annotationsOf(pairs.map(([, after]) => after));
    for (const [at, [, row]] of pairs.entries()) this.add(row, differencesIn(earlier[at]!, later[at]!));
  }

  private add(row: number, { added, removed, changed }: ReturnType<typeof differencesIn>): void {
    if (added + removed + changed === 0) return;
    this.added += added;
    this.removed += removed;
    this.changed += changed;
    this.rows.add(row);
  }
}

/** Of one picture. */
function differencesIn(before: readonly Annotation[], after: readonly Annotation[]) {
  const known = new Map(before.map((annotation) => [annotation.id, annotation]));
  let [added, changed] = [0, 0];
  for (const annotation of after) {
    const earlier = known.get(annotation.id);
    if (earlier === undefined) added += 1;
    else if (!isDeepStrictEqual(saidBy(earlier), saidBy(annotation))) changed += 1;
    known.delete(annotation.id);
  }
  return { added, removed: known.size, changed };
}

/** Without the author, the times and the version. */
const saidBy = (annotation: Annotation): Annotation => ({
  ...annotation,
  ...{ createdBy: '', createdAt: '', updatedAt: '', version: 0 },
});
