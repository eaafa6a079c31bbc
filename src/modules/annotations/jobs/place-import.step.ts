import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { SHAPE_KINDS, type Annotation } from '../../../common/engine/annotations/annotation';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { isSameVersion } from '../../../common/engine/media-table/table-version';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import { DatasetReader } from '../../datasets';
import {
  AnnotationFiles,
  SourceAnnotations,
  sourceNamed,
  VersionOpener,
  type AnnotationSource,
  type OpenedVersion,
  type SegmentRecord,
  type ShapeCounts,
} from '../../versions';
import type { AnnotationDraft, PictureList } from '../annotation-draft';
import { MAX_SOURCES } from '../change-source.use-case';
import { withCounts } from '../changed-lists';
import { editsBetween } from '../domain/edits-between';
import { assertEditable, TooManySourcesError } from '../domain/source-errors';
import { changedPicture, type Act } from '../domain/source-change';
import { filesAfter, SourceFilesWriter, withSkeletons, type WrittenSource } from './written-source';

/** Other changes of the dataset wait while so many pictures are compared. */
const MOST_COMPARED = 20_000;
const AT_ONCE = 1_000;

/** The source was changed in more pictures than are compared while other changes wait. */
export class FarBehindError extends Error {}

/** A picture of which files and people said something at the same time. */
interface SharedPicture {
  /** What both said. */
  readonly list: PictureList;
  readonly had: readonly Annotation[];
  readonly has: readonly Annotation[];
  readonly said: readonly Annotation[];
}

/** Puts the annotations of files into what a source says now, which people may have changed while the files were read. */
@Injectable()
export class PlaceImportStep {
  readonly mostCompared: number = MOST_COMPARED;

  constructor(
    private readonly annotations: SourceAnnotations,
    private readonly datasets: DatasetReader,
    private readonly versions: VersionOpener,
    private readonly files: AnnotationFiles,
  ) {}

  /** After a FarBehindError, `catchUp` brings the files nearer to the source. */
  async place(draft: AnnotationDraft, written: WrittenSource, act: Act): Promise<void> {
    const { before, source, mode, totals } = written;
    const now = sourceNamed(draft.sources, source.name);
    if (now === undefined && draft.sources.length >= MAX_SOURCES)
      throw new PermanentJobError(new TooManySourcesError(MAX_SOURCES).message);
    assertOfSame(written, draft.version, now);
    const later = now === undefined || mode === 'replace' ? [] : filesAfter(before, now);
    if (now === undefined || later.length === 0) {
      draft.put({ ...source, ...(now && { kind: now.kind, modelId: now.modelId }) }, [], totals);
      return;
    }
    if (later.reduce((sum, { pictures }) => sum + pictures, 0) > this.mostCompared) throw new FarBehindError();
    let counts = countsAfter(now.counts, source.counts, before.counts);
    const lists: PictureList[] = [];
    for await (const shared of this.sharedPictures(draft.version, written, now, act)) {
      counts = countsWith(counts, shared);
      lists.push(shared.list);
    }
    draft.put(inNow(written, now, counts), lists, totals);
  }

  /** Writes further files, so that all are about the source as it is now. Other changes go on meanwhile. */
  async catchUp(datasetId: string, written: WrittenSource, act: Act, signal: AbortSignal): Promise<WrittenSource> {
    const pointer = assertEditable(await this.datasets.get(datasetId));
    using version = await this.versions.open(pointer);
    const { before, source } = written;
    const now = sourceNamed((await this.annotations.stateOf(pointer)).sources, source.name);
    assertOfSame(written, version, now);
    if (now === undefined) return written;
    let counts = countsAfter(now.counts, source.counts, before.counts);
    const writer = new SourceFilesWriter(this.files, source.segments);
    for await (const shared of this.sharedPictures(version, written, now, act)) {
      signal.throwIfAborted();
      counts = countsWith(counts, shared);
      await writer.add(shared.list.id, shared.list.annotations);
    }
    await writer.end();
    const caughtUp = inNow(written, now, counts);
    return { ...written, before: now, source: { ...caughtUp, segments: [...caughtUp.segments, ...writer.written] } };
  }

  private async *sharedPictures(
    { pointer, table }: OpenedVersion,
    { before, source, mode }: WrittenSource,
    now: AnnotationSource,
    act: Act,
  ): AsyncGenerator<SharedPicture> {
    const [placedBefore, placedAfter, placedNow, ids, rows] = [
      await this.annotations.place(before, pointer, table),
      await this.annotations.place(source, pointer, table),
      await this.annotations.place(now, pointer, table),
      await this.annotations.idsOf(table),
      await this.rowsOfBoth(filesAfter(before, source), filesAfter(before, now), table),
    ];
    for (let start = 0; start < rows.length; start += AT_ONCE) {
      const some = [...rows.subarray(start, start + AT_ONCE)];
      const [allHad, allSaid] = [await placedBefore.annotationsOf(some), await placedNow.annotationsOf(some)];
      // Files that were merged say the same as before.
      const changed = some.flatMap((row, at) => {
        const [had, said] = [allHad[at]!, allSaid[at]!];
        return isDeepStrictEqual(had, said) ? [] : [{ row, had, said }];
      });
      const allHas = await placedAfter.annotationsOf(changed.map(({ row }) => row));
      for (const [at, { row, had, said }] of changed.entries()) {
        const has = allHas[at]!;
        const edits = editsBetween(had, has, mode);
        const { annotations } = changedPicture(said, { edits, replaces: false }, act);
        yield { list: { row, id: ids.idOf(row), annotations }, had, has, said };
      }
    }
  }

  private async rowsOfBoth(
    some: readonly SegmentRecord[],
    others: readonly SegmentRecord[],
    table: MediaTable,
  ): Promise<Int32Array> {
    const rows = OrdinalSet.of(table.rows, await this.annotations.rowsOf(some, table));
    return rows.and(OrdinalSet.of(table.rows, await this.annotations.rowsOf(others, table))).toArray();
  }
}

function assertOfSame(
  { table, before, source, mode }: WrittenSource,
  version: OpenedVersion,
  now: AnnotationSource | undefined,
): void {
  if (!isSameVersion(version.table.at, table)) throw new Error('The media were changed while files were read');
  if (mode !== 'replace' && before.segments.length > 0 && now?.createdAt !== before.createdAt)
    throw new Error(`The source '${source.name}' was removed while files were read`);
}

/** The files after those of the source as it is now. */
const inNow = ({ before, source }: WrittenSource, now: AnnotationSource, counts: ShapeCounts): AnnotationSource =>
  withSkeletons({ ...now, counts, segments: [...now.segments, ...filesAfter(before, source)] }, source.skeletons);

function countsWith(counts: ShapeCounts, { list, had, has, said }: SharedPicture): ShapeCounts {
  const without = withCounts(withCounts(counts, has, -1), said, -1);
  return withCounts(withCounts(without, had, 1), list.annotations, 1);
}

/** Of a source as it is now, with what an import has added. */
const countsAfter = (now: ShapeCounts, after: ShapeCounts, before: ShapeCounts): ShapeCounts =>
  Object.fromEntries(SHAPE_KINDS.map((kind) => [kind, now[kind] + after[kind] - before[kind]])) as ShapeCounts;
