import { Injectable } from '@nestjs/common';
import { type Annotation, shapeKindOf } from '../../common/engine/annotations/annotation';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import {
  GROUND_TRUTH,
  isSourceOfTable,
  NO_SHAPES,
  sourceNamed,
  type AnnotationSource,
  type OpenedVersion,
  type ShapeCounts,
  type SourceKind,
} from '../versions';
import type { AnnotationDraft } from './annotation-draft';
import { changedPicture, type Act, type Conflict, type Edit } from './domain/source-change';
import {
  AnnotationChangedError,
  MOST_CONFLICTS,
  SourceNameTakenError,
  SourceNotFoundError,
  SourceOfTableError,
  TooManySourcesError,
} from './domain/source-errors';
import { PicturesNamed, type NamedPicture, type PictureName, type PictureSize } from './pictures-named';
import { StateChanges } from './state-changes';

export const MAX_SOURCES = 100;

export interface PictureEdits {
  readonly picture: PictureName;
  readonly edits: readonly Edit[] | ((size: PictureSize) => readonly Edit[]);
}

export interface SourceEdits {
  readonly source: string;
  /** Of a source that does not exist yet. */
  readonly kind: SourceKind;
  readonly modelId: string | null;
  /** Nothing that the source said about the pictures stays. */
  readonly replaces: boolean;
  readonly pictures: readonly PictureEdits[];
}

export interface EditOutcome {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** The positions of pictures that the dataset does not have. */
  readonly unmatched: readonly number[];
}

/** Changes what a source says about some pictures. All of a request is seen at once, or nothing. */
@Injectable()
export class ChangeSourceUseCase {
  constructor(
    private readonly changes: StateChanges,
    private readonly pictures: PicturesNamed,
    private readonly audit: AuditLog,
  ) {}

  edit(datasetId: string, asked: SourceEdits, caller: Principal): Promise<EditOutcome> {
    const act = { by: caller.email, at: new Date().toISOString() };
    return this.changes.apply(datasetId, {
      make: (draft) => this.change(draft, asked, act),
      commit: async ({ added, changed, removed }) => {
        if (added + changed + removed === 0) return;
        const details = { source: asked.source, added, changed, removed };
        await this.audit.recordBy(caller, 'annotations_changed', datasetId, details);
      },
    });
  }

  async remove(datasetId: string, name: string, caller: Principal): Promise<void> {
    await this.changes.apply(datasetId, {
      make: (draft) => draft.remove(imported(draft, name)),
      commit: () => this.audit.recordBy(caller, 'annotations_changed', datasetId, { source: name, removed: 'all' }),
    });
  }

  rename(datasetId: string, name: string, to: string, caller: Principal): Promise<AnnotationSource> {
    return this.changes.apply(datasetId, {
      make: (draft) => {
        const source = imported(draft, name);
        if (to !== name && sourceNamed(draft.sources, to) !== undefined) throw new SourceNameTakenError(to);
        return draft.rename(source, to);
      },
      commit: () => this.audit.recordBy(caller, 'annotations_changed', datasetId, { source: name, renamed: to }),
    });
  }

  private async change(draft: AnnotationDraft, asked: SourceEdits, act: Act): Promise<EditOutcome> {
    const { sources, version } = draft;
    if (asked.source !== GROUND_TRUTH && isSourceOfTable(version.pointer, asked.source))
      throw new SourceOfTableError(asked.source);
    const known = sourceNamed(sources, asked.source);
    if (known === undefined && sources.length >= MAX_SOURCES) throw new TooManySourcesError(MAX_SOURCES);
    const source = known ?? newSource(asked, act.at);
    const { pictures: named, replaces } = asked;
    const found = await this.pictures.find(
      version,
      named.map(({ picture }) => picture),
    );
    const editsOf = groupedByRow(named, found, await this.sizesFor(version, named, found));
    const rows = [...editsOf.keys()];
    const before = await draft.annotationsOf(source, rows);
    const after = rows.map((row, at) => changedPicture(before[at]!, { edits: editsOf.get(row)!.edits, replaces }, act));
    const conflicts = after.flatMap(({ conflicts: own }, at) => own.map((conflict) => ({ row: rows[at]!, conflict })));
    if (conflicts.length > 0) throw await changedSince(version, source.name, conflicts.slice(0, MOST_CONFLICTS));
    const total = (of: 'added' | 'changed' | 'removed'): number => after.reduce((sum, each) => sum + each[of], 0);
    const [added, changed, removed] = [total('added'), total('changed'), total('removed')];
    if (added + changed + removed > 0) {
      const lists = rows.map((row, at) => ({ row, id: editsOf.get(row)!.id, annotations: after[at]!.annotations }));
      const counts = lists.reduce(
        (sum, { annotations }, at) => withCounts(withCounts(sum, annotations, 1), before[at]!, -1),
        source.counts,
      );
      draft.put({ ...source, counts }, lists, { added, changed, removed });
    }
    return { added, changed, removed, unmatched: found.flatMap((picture, at) => (picture === undefined ? [at] : [])) };
  }

  /** Of pictures whose edits depend on their size. */
  private sizesFor(
    version: OpenedVersion,
    named: readonly PictureEdits[],
    found: readonly (NamedPicture | undefined)[],
  ): Promise<ReadonlyMap<number, PictureSize>> {
    const rows = named.flatMap(({ edits }, at) => (typeof edits === 'function' ? (found[at]?.row ?? []) : []));
    return this.pictures.sizesOf(version, [...new Set(rows)]);
  }
}

/** A source that the media table says nothing of. */
function imported({ sources, version }: AnnotationDraft, name: string): AnnotationSource {
  if (isSourceOfTable(version.pointer, name)) throw new SourceOfTableError(name);
  const source = sourceNamed(sources, name);
  if (source === undefined) throw new SourceNotFoundError();
  return source;
}

export const newSource = (
  { source: name, kind, modelId }: Pick<SourceEdits, 'source' | 'kind' | 'modelId'>,
  createdAt: string,
): AnnotationSource => ({
  name,
  kind: name === GROUND_TRUTH ? 'truth' : kind,
  modelId,
  createdAt: name === GROUND_TRUTH ? null : createdAt,
  counts: NO_SHAPES,
  segments: [],
});

function groupedByRow(
  named: readonly PictureEdits[],
  found: readonly (NamedPicture | undefined)[],
  sizes: ReadonlyMap<number, PictureSize>,
): Map<number, { readonly id: string; readonly edits: Edit[] }> {
  const byRow = new Map<number, { readonly id: string; readonly edits: Edit[] }>();
  for (const [at, { edits }] of named.entries()) {
    const picture = found[at];
    if (picture === undefined) continue;
    const known = byRow.get(picture.row) ?? { id: picture.id, edits: [] };
    known.edits.push(...(typeof edits === 'function' ? edits(sizes.get(picture.row)!) : edits));
    byRow.set(picture.row, known);
  }
  return byRow;
}

async function changedSince(
  { table }: OpenedVersion,
  source: string,
  conflicts: readonly { readonly row: number; readonly conflict: Conflict }[],
): Promise<AnnotationChangedError> {
  const rows = [...new Set(conflicts.map(({ row }) => row))];
  const media = await table.takeRows(rows, ['id', 'path']);
  const mediaOf = new Map(rows.map((row, at) => [row, media[at]!]));
  return new AnnotationChangedError(
    conflicts.map(({ row, conflict: { id, sent, current } }) => {
      const { id: mediaId, path } = mediaOf.get(row)!;
      return { id, mediaId, sent, current: current && { annotation: current, mediaId, path, source } };
    }),
  );
}

export function withCounts(counts: ShapeCounts, annotations: readonly Annotation[], sign: 1 | -1): ShapeCounts {
  const sum = { ...counts };
  for (const annotation of annotations) sum[shapeKindOf(annotation)] += sign;
  return sum;
}
