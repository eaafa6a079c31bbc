import { Injectable } from '@nestjs/common';
import { isSameVersion } from '../../../common/engine/media-table/table-version';
import { SHAPE_KINDS } from '../../../common/engine/annotations/annotation';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import {
  SourceAnnotations,
  sourceNamed,
  type AnnotationSource,
  type SegmentRecord,
  type ShapeCounts,
} from '../../versions';
import type { AnnotationDraft, PictureList } from '../annotation-draft';
import { MAX_SOURCES, withCounts } from '../change-source.use-case';
import { editsBetween } from '../domain/edits-between';
import { changedPicture } from '../domain/source-change';
import { TooManySourcesError } from '../domain/source-errors';
import { filesAfter, withSkeletons, type Act, type WrittenSource } from './written-source';

/** Pictures that were changed while files were read. After more of them, such as by another import, the files are read again. */
const MOST_CHANGED = 50_000;
const AT_ONCE = 1_000;

/** Puts the annotations of files into what a source says now, which people may have changed while the files were read. */
@Injectable()
export class PlaceImportStep {
  constructor(private readonly annotations: SourceAnnotations) {}

  async place(draft: AnnotationDraft, written: WrittenSource, act: Act): Promise<void> {
    const { table, before, source, mode, totals } = written;
    if (!isSameVersion(draft.version.table.at, table)) throw new Error('The media were changed while files were read');
    const now = sourceNamed(draft.sources, source.name);
    if (now === undefined && draft.sources.length >= MAX_SOURCES)
      throw new PermanentJobError(new TooManySourcesError(MAX_SOURCES).message);
    if (mode !== 'replace' && now === undefined && before.segments.length > 0)
      throw new Error(`The source '${source.name}' was removed while files were read`);
    const later = now === undefined || mode === 'replace' ? [] : filesAfter(before, now);
    if (now === undefined || later.length === 0) {
      draft.put({ ...source, ...(now && { kind: now.kind, modelId: now.modelId }) }, [], totals);
      return;
    }
    const placed = await this.withLater(draft, written, { now, later }, act);
    draft.put(placed.source, placed.lists, totals);
  }

  private async withLater(
    draft: AnnotationDraft,
    { before, source, mode }: WrittenSource,
    { now, later }: { readonly now: AnnotationSource; readonly later: readonly SegmentRecord[] },
    act: Act,
  ): Promise<{ readonly source: AnnotationSource; readonly lists: readonly PictureList[] }> {
    if (later.reduce((sum, { pictures }) => sum + pictures, 0) > MOST_CHANGED)
      throw new Error(`The source '${source.name}' was changed too much while files were read`);
    const { pointer, table } = draft.version;
    const [placedBefore, placedAfter, ids, changed] = [
      await this.annotations.place(before, pointer, table),
      await this.annotations.place(source, pointer, table),
      await this.annotations.idsOf(table),
      await this.annotations.rowsOf(later, table),
    ];
    let counts = sumOf(now.counts, source.counts, before.counts);
    const lists: PictureList[] = [];
    for (let start = 0; start < changed.length; start += AT_ONCE) {
      const rows = changed.slice(start, start + AT_ONCE);
      const [had, has, said] = [
        await placedBefore.annotationsOf(rows),
        await placedAfter.annotationsOf(rows),
        await draft.annotationsOf(now, rows),
      ];
      for (const [at, row] of rows.entries()) {
        const edits = editsBetween(had[at]!, has[at]!, mode);
        if (edits.length === 0) continue;
        const { annotations } = changedPicture(said[at]!, { edits, replaces: false }, act);
        counts = withCounts(withCounts(counts, has[at]!, -1), had[at]!, 1);
        counts = withCounts(withCounts(counts, said[at]!, -1), annotations, 1);
        lists.push({ row, id: ids.idOf(row), annotations });
      }
    }
    const segments = [...now.segments, ...filesAfter(before, source)];
    return { source: withSkeletons({ ...now, counts, segments }, source.skeletons), lists };
  }
}

/** Of a source as it is now, with what an import has added. */
const sumOf = (now: ShapeCounts, after: ShapeCounts, before: ShapeCounts): ShapeCounts =>
  Object.fromEntries(SHAPE_KINDS.map((kind) => [kind, now[kind] + after[kind] - before[kind]])) as ShapeCounts;
