import { Injectable } from '@nestjs/common';
import { type Annotation, shapeKindOf } from '../../common/engine/annotations/annotation';
import { SegmentBuilder } from '../../common/engine/annotations/segment-builder';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import type { DatasetPointer } from '../datasets';
import {
  AnnotationFiles,
  mergedWith,
  NO_SHAPES,
  SourceAnnotations,
  VersionOpener,
  sourceNamed,
  withSource,
  type AnnotationSource,
  type OpenedVersion,
  type SegmentRecord,
  type ShapeCounts,
  type SourceKind,
} from '../versions';
import { changedPicture, type ChangedPicture, type Edit } from './domain/source-change';
import {
  AnnotationChangedError,
  SourceNameTakenError,
  SourceNotFoundError,
  TooManySourcesError,
} from './domain/source-errors';
import { PicturesNamed, type NamedPicture, type PictureName, type PictureSize } from './pictures-named';
import { StateChanges } from './state-changes';

const MAX_SOURCES = 100;

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

interface Made {
  readonly source: AnnotationSource;
  readonly outcome: EditOutcome;
}

/** Changes what a source says about some pictures. All of a request is seen at once, or nothing. */
@Injectable()
export class ChangeSourceUseCase {
  constructor(
    private readonly changes: StateChanges,
    private readonly versions: VersionOpener,
    private readonly pictures: PicturesNamed,
    private readonly annotations: SourceAnnotations,
    private readonly files: AnnotationFiles,
    private readonly audit: AuditLog,
  ) {}

  edit(datasetId: string, asked: SourceEdits, caller: Principal): Promise<EditOutcome> {
    const act = { by: caller.email, at: new Date().toISOString() };
    return this.changes.apply(datasetId, {
      make: async (sources, pointer) => {
        const known = sourceNamed(sources, asked.source);
        if (known === undefined && sources.length >= MAX_SOURCES) throw new TooManySourcesError(MAX_SOURCES);
        const before = known ?? newSource(asked, act.at);
        const { source, outcome } = await this.changed(before, asked, pointer, act);
        const isSame = outcome.added + outcome.changed + outcome.removed === 0;
        return { sources: isSame ? undefined : withSource(sources, source.name, source), result: outcome };
      },
      commit: async ({ added, changed, removed }) => {
        if (added + changed + removed === 0) return;
        const details = { source: asked.source, added, changed, removed };
        await this.audit.recordBy(caller, 'annotations_changed', datasetId, details);
      },
    });
  }

  async remove(datasetId: string, name: string, caller: Principal): Promise<void> {
    await this.changes.apply(datasetId, {
      make: (sources) => {
        if (sourceNamed(sources, name) === undefined) throw new SourceNotFoundError();
        return Promise.resolve({ sources: withSource(sources, name, undefined), result: undefined });
      },
      commit: () => this.audit.recordBy(caller, 'annotations_changed', datasetId, { source: name, removed: 'all' }),
    });
  }

  rename(datasetId: string, name: string, to: string, caller: Principal): Promise<AnnotationSource> {
    return this.changes.apply(datasetId, {
      make: (sources) => {
        const source = sourceNamed(sources, name);
        if (source === undefined) throw new SourceNotFoundError();
        if (to !== name && sourceNamed(sources, to) !== undefined) throw new SourceNameTakenError(to);
        const result = { ...source, name: to };
        return Promise.resolve({ sources: withSource(withSource(sources, name, undefined), to, result), result });
      },
      commit: () => this.audit.recordBy(caller, 'annotations_changed', datasetId, { source: name, renamed: to }),
    });
  }

  private async changed(
    source: AnnotationSource,
    { pictures: named, replaces }: SourceEdits,
    pointer: DatasetPointer,
    act: { readonly by: string; readonly at: string },
  ): Promise<Made> {
    using version = await this.versions.open(pointer);
    const { table } = version;
    const found = await this.pictures.find(
      version,
      named.map(({ picture }) => picture),
    );
    const editsOf = groupedByRow(named, found, await this.sizesFor(version, named, found));
    const rows = [...editsOf.keys()].sort((a, b) => a - b);
    const before = await (await this.annotations.place(source, pointer, table)).annotationsOf(rows);
    const after = rows.map((row, at) =>
      withoutConflicts(changedPicture(before[at]!, { edits: editsOf.get(row)!.edits, replaces }, act)),
    );
    const total = (of: 'added' | 'changed' | 'removed'): number => after.reduce((sum, each) => sum + each[of], 0);
    const outcome = {
      added: total('added'),
      changed: total('changed'),
      removed: total('removed'),
      unmatched: found.flatMap((picture, at) => (picture === undefined ? [at] : [])),
    };
    const lists = rows.map((row, at) => ({ id: editsOf.get(row)!.id, annotations: after[at]!.annotations }));
    const counts = lists.reduce(
      (sum, { annotations }, at) => withCounts(withCounts(sum, annotations, 1), before[at]!, -1),
      source.counts,
    );
    const segments = lists.length === 0 ? source.segments : await this.appended(source, lists);
    return { source: { ...source, counts, segments }, outcome };
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

  /** Writes the lists with those of the latest files that are not much larger. */
  private async appended(
    source: AnnotationSource,
    lists: readonly { readonly id: string; readonly annotations: readonly Annotation[] }[],
  ): Promise<SegmentRecord[]> {
    const size = lists.reduce((sum, { annotations }) => sum + annotations.length + 1, 0);
    const kept = source.segments.length - mergedWith(source.segments, size);
    const taken = source.segments.slice(kept);
    const builder = new SegmentBuilder();
    for (const { id, annotations } of lists) await builder.add(id, annotations);
    const own = new Set(lists.map(({ id }) => id));
    for await (const { id, annotations } of this.annotations.latestOf(taken))
      if (!own.has(id)) await builder.add(id, annotations);
    const built = await builder.build();
    const { pictures, annotations } = built.segment;
    const id = await this.files.write(built);
    const replaced = taken.map((segment) => segment.id);
    return [...source.segments.slice(0, kept), { id, pictures, annotations, replaced }];
  }
}

const newSource = ({ source: name, kind, modelId }: SourceEdits, createdAt: string): AnnotationSource => ({
  name,
  kind,
  modelId,
  createdAt,
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

function withoutConflicts(picture: ChangedPicture): ChangedPicture {
  const [conflict] = picture.conflicts;
  if (conflict !== undefined) throw new AnnotationChangedError(conflict.id, conflict.sent, conflict.current?.version);
  return picture;
}

function withCounts(counts: ShapeCounts, annotations: readonly Annotation[], sign: 1 | -1): ShapeCounts {
  const sum = { ...counts };
  for (const annotation of annotations) sum[shapeKindOf(annotation)] += sign;
  return sum;
}
