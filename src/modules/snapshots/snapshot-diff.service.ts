import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BoundedCache } from '../../common/platform/cache/bounded-cache';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import { isSameVersion, type TableVersion } from '../../common/engine/media-table/table-version';
import { OrdinalSet } from '../../common/engine/media-table/ordinal-set';
import { readDigests } from '../../common/engine/media-table/row-digests';
import { DatasetStatusError, isSamePointer, placeOf, type DatasetPointer } from '../datasets';
import {
  annotationDifferences,
  SourceAnnotations,
  TagAssignmentsCache,
  type SourceDifferences,
  type TagAssignments,
} from '../versions';
import { RESTORABLE } from './domain/snapshot';
import { TableComparison } from './domain/table-comparison';
import { SnapshotFeature } from './snapshot-feature';
import { inSlices } from '../../common/platform/concurrency/in-slices';

interface TagsOfBoth {
  readonly before: TagAssignments;
  readonly after: TagAssignments;
  /** The new ordinal of each old row, -1 if removed; undefined if all ordinals are unchanged. */
  readonly places: Int32Array | undefined;
  readonly rowsAfter: number;
}

type Mark = readonly [number, number];

export interface ListedMedia {
  readonly count: number;
  readonly ids: readonly string[];
}

export type DiffKind = 'added' | 'removed' | 'labels' | 'tags' | 'captions';
/** The media with annotations of a source that differ, and how many of these there are. */
export type AnnotationsDiff = Omit<SourceDifferences, 'rows'> & { readonly media: ListedMedia };

export interface SnapshotDiff extends Readonly<Record<DiffKind, ListedMedia>> {
  readonly annotations: readonly AnnotationsDiff[];
}

/** Rows of the later table; `removed` has rows of the earlier one. */
interface DifferentRows extends Readonly<Record<DiffKind, OrdinalSet>> {
  readonly annotations: readonly SourceDifferences[];
}

const bytesOf = ({ annotations, ...rows }: DifferentRows): number =>
  [...annotations.map((each) => each.rows), ...Object.values(rows)].reduce((sum, { bytes }) => sum + bytes, 100);

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Cache of differences, five bits a row, and one for each source that differs; versions are immutable, so entries never go stale. */
const CACHE_BYTES = 16 * 2 ** 20;

@Injectable()
export class SnapshotDiffService {
  private readonly found = new BoundedCache<DifferentRows>(CACHE_BYTES, bytesOf);

  /** Comparisons run one at a time, because each needs about fifty bytes a row. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly feature: SnapshotFeature,
    private readonly tables: MediaTableStore,
    private readonly tags: TagAssignmentsCache,
    private readonly annotations: SourceAnnotations,
  ) {}

  /** From a snapshot to another, or to the current state. */
  async between(datasetId: string, from: string, to: string | undefined, page: Page): Promise<SnapshotDiff> {
    const dataset = await this.feature.get(datasetId);
    const { pointer: before } = await this.feature.snapshotOf(dataset, from);
    const after = to === undefined ? dataset.pointer : (await this.feature.snapshotOf(dataset, to)).pointer;
    if (after === null) throw new DatasetStatusError('snapshot_diff', dataset.status, RESTORABLE);
    const rows = await this.found.getOrLoad(JSON.stringify([before, after].map(placeOf)), () =>
      this.inTurn(() => this.compare(before, after)),
    );
    return {
      added: await this.list(after, rows.added, page),
      removed: await this.list(before, rows.removed, page),
      labels: await this.list(after, rows.labels, page),
      tags: await this.list(after, rows.tags, page),
      captions: await this.list(after, rows.captions, page),
      annotations: await Promise.all(
        rows.annotations.map(async ({ rows: differing, ...counts }) => ({
          ...counts,
          media: await this.list(after, differing, page),
        })),
      ),
    };
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const running = this.last.then(work);
    this.last = running.catch(() => undefined);
    return running;
  }

  private async compare(before: DatasetPointer, after: DatasetPointer): Promise<DifferentRows> {
    const rows = (await this.tables.open(after)).rows;
    const none = OrdinalSet.none(rows);
    const isSame = isSameVersion(before, after) && before.annotationState === after.annotationState;
    const tables = isSame ? undefined : await this.compareTables(before, after);
    const added = tables?.added ?? none;
    const tags = isSamePointer(before, after)
      ? none
      : await changedTags({
          before: await this.tags.open(before),
          after: await this.tags.open(after),
          places: tables?.places,
          rowsAfter: rows,
        });
    return {
      added,
      removed: tables?.removed ?? none,
      labels: tables?.labels ?? none,
      tags: tags.without(added),
      captions: tables?.captions ?? none,
      annotations: isSame ? [] : await this.compareAnnotations(before, after),
    };
  }

  private async compareAnnotations(before: DatasetPointer, after: DatasetPointer): Promise<SourceDifferences[]> {
    const [earlier, later] = await Promise.all([this.tables.open(before), this.tables.open(after)]);
    return annotationDifferences(
      this.annotations,
      { pointer: before, table: earlier },
      { pointer: after, table: later },
    );
  }

  private async compareTables(before: DatasetPointer, after: DatasetPointer): Promise<TableComparison> {
    const [earlier, later] = await Promise.all([this.tables.open(before), this.tables.open(after)]);
    const comparison = new TableComparison(earlier.rows, later.rows);
    for await (const digests of readDigests(earlier)) comparison.addBefore(digests);
    for await (const digests of readDigests(later)) comparison.addAfter(digests);
    return comparison;
  }

  private async list(at: TableVersion, rows: OrdinalSet, { limit, offset }: Page): Promise<ListedMedia> {
    const ordinals = rows.toArray();
    const table = await this.tables.open(at);
    const shown = await table.takeRows(ordinals.subarray(offset, offset + limit), ['id']);
    return { count: ordinals.length, ids: shown.map(({ id }) => id) };
  }
}

/** Rows whose tags changed. May include new rows, which the caller excludes. */
async function changedTags({ before, after, places, rowsAfter }: TagsOfBoth): Promise<OrdinalSet> {
  // Add a hash of each tag for the rows that had it, subtract it for those that have it; a non-zero sum is a difference.
  const marks = new Int32Array(2 * rowsAfter);
  await eachAssignment(before, (row, [one, other]) => {
    const place = places === undefined ? row : places[row]!;
    if (place < 0) return;
    marks[2 * place]! += one;
    marks[2 * place + 1]! += other;
  });
  await eachAssignment(after, (row, [one, other]) => {
    marks[2 * row]! -= one;
    marks[2 * row + 1]! -= other;
  });
  const changed = OrdinalSet.none(rowsAfter);
  await inSlices(rowsAfter, (start, end) => {
    for (let row = start; row < end; row++) if (marks[2 * row] !== 0 || marks[2 * row + 1] !== 0) changed.add(row);
  });
  return changed;
}

async function eachAssignment(tags: TagAssignments, visit: (row: number, mark: Mark) => void): Promise<void> {
  for (const [id, rows] of tags.lists) {
    const mark = markOf(id);
    await inSlices(rows.length, (start, end) => {
      for (let i = start; i < end; i++) visit(rows[i]!, mark);
    });
  }
}

function markOf(tagId: string): Mark {
  const digest = createHash('sha256').update(tagId).digest();
  return [digest.readInt32LE(0), digest.readInt32LE(4)];
}
