import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import { LabelSetRepository } from '../datasets';
import {
  GROUND_TRUTH,
  isSourceOfTable,
  NO_SHAPES,
  sourceNamed,
  type AnnotationSource,
  type OpenedVersion,
  type SourceKind,
} from '../versions';
import { NOTHING, sumOf, type AnnotationDraft } from './annotation-draft';
import { changedSince, countedAfter, keptLists, putLists } from './changed-lists';
import { countedChange, doneBy, type AnnotationChange } from './domain/annotation-change';
import { breachesIn, type EditedPicture } from './domain/label-set-breaches';
import { changedPicture, newAct, type Act, type Edit, type SourceMode } from './domain/source-change';
import {
  NotInLabelSetError,
  SourceNameTakenError,
  SourceNotFoundError,
  SourceOfTableError,
  TooManySourcesError,
} from './domain/source-errors';
import { originOf } from './history/change-content';
import { ChangeHistory } from './history/change-history';
import { PicturesNamed, type NamedPicture, type PictureName, type PictureSize } from './pictures-named';
import { StateChanges, type StateChange } from './state-changes';

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
  /** With `replace`, nothing that the source said about the pictures stays. */
  readonly mode: SourceMode;
  readonly pictures: readonly PictureEdits[];
}

export interface EditOutcome {
  /** Null if nothing changed. */
  readonly changeId: string | null;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** The positions of pictures that the dataset does not have. */
  readonly unmatched: readonly number[];
  /** Of the annotations that were added or changed; null if nothing changed. */
  readonly version: number | null;
}

/** What an edit belongs to. */
export interface EditContext {
  readonly queueId?: string | null;
  /** Runs in the transaction that publishes the edit, which has nothing else then; if it throws, nothing is changed. */
  readonly alongside?: (outcome: EditOutcome) => Promise<void>;
}

interface MadeEdit {
  readonly outcome: EditOutcome;
  /** Ready when its content is compressed; undefined if nothing changed. */
  readonly change: Promise<AnnotationChange> | undefined;
}

/** Changes what a source says about some pictures. All of a request is seen at once, or nothing. */
@Injectable()
export class ChangeSourceUseCase {
  constructor(
    private readonly changes: StateChanges,
    private readonly pictures: PicturesNamed,
    private readonly history: ChangeHistory,
    private readonly labels: LabelSetRepository,
  ) {}

  async edit(
    datasetId: string,
    asked: SourceEdits,
    caller: Principal,
    { queueId = null, alongside }: EditContext = {},
  ): Promise<EditOutcome> {
    const act = newAct(caller.email);
    const change: StateChange<MadeEdit> = {
      make: (draft) => this.change(draft, asked, act, { datasetId, queueId }),
      commit: async ({ outcome, change: made }) => {
        if (made !== undefined) await this.history.record(await made, caller);
        await alongside?.(outcome);
      },
    };
    const apply = alongside === undefined ? 'apply' : 'applyAlone';
    return (await this.changes[apply](datasetId, change)).outcome;
  }

  async remove(datasetId: string, name: string, caller: Principal): Promise<void> {
    await this.changes.apply(datasetId, {
      make: (draft) => {
        const source = imported(draft, name);
        draft.remove(source);
        return sumOf(source.counts);
      },
      commit: (removed) => {
        const counts = { ...NOTHING, removed };
        const change = countedChange({ datasetId, source: name, mode: 'remove', ...counts }, newAct(caller.email));
        return this.history.record(change, caller, { removed: 'all' });
      },
    });
  }

  rename(datasetId: string, name: string, to: string, caller: Principal): Promise<AnnotationSource> {
    return this.changes.apply(datasetId, {
      make: (draft) => {
        const source = imported(draft, name);
        if (to !== name && sourceNamed(draft.sources, to) !== undefined) throw new SourceNameTakenError(to);
        return draft.rename(source, to);
      },
      commit: () => {
        const change = countedChange({ datasetId, source: name, mode: 'rename', ...NOTHING }, newAct(caller.email));
        return this.history.record(change, caller, { renamed: to });
      },
    });
  }

  private async change(
    draft: AnnotationDraft,
    asked: SourceEdits,
    act: Act,
    of: Pick<AnnotationChange, 'datasetId' | 'queueId'>,
  ): Promise<MadeEdit> {
    const { sources, version } = draft;
    if (asked.source !== GROUND_TRUTH && isSourceOfTable(version.pointer, asked.source))
      throw new SourceOfTableError(asked.source);
    const known = sourceNamed(sources, asked.source);
    if (known === undefined && sources.length >= MAX_SOURCES) throw new TooManySourcesError(MAX_SOURCES);
    const source = known ?? newSource(asked, act.at);
    const { pictures: named, mode } = asked;
    const found = await this.pictures.find(
      version,
      named.map(({ picture }) => picture),
    );
    const edits = await this.editsFor(version, named, found);
    const editsOf = groupedByRow(found, edits);
    const rows = [...editsOf.keys()];
    const before = await draft.annotationsOf(source, rows);
    if (asked.source === GROUND_TRUTH) {
      const storedIn = new Map(rows.map((row, at) => [row, before[at]!]));
      const storedOf = (picture: NamedPicture | undefined) => (picture && storedIn.get(picture.row)) ?? [];
      await this.assertInSet(
        of.datasetId,
        edits.map((own, at) => ({ edits: own, stored: storedOf(found[at]) })),
      );
    }
    const replaces = mode === 'replace';
    const after = rows.map((row, at) => changedPicture(before[at]!, { edits: editsOf.get(row)!.edits, replaces }, act));
    const lists = rows.map((row, at) => {
      const { id } = editsOf.get(row)!;
      return { row, id, before: before[at]!, after: after[at]!.annotations };
    });
    const conflicts = lists.flatMap(({ row, id: mediaId }, at) =>
      after[at]!.conflicts.map((conflict) => ({ mediaId, row, conflict })),
    );
    if (conflicts.length > 0) throw await changedSince(version, source.name, conflicts);
    const total = (of: 'added' | 'changed' | 'removed'): number => after.reduce((sum, each) => sum + each[of], 0);
    const totals = { added: total('added'), changed: total('changed'), removed: total('removed') };
    const unmatched = found.flatMap((picture, at) => (picture === undefined ? [at] : []));
    if (totals.added + totals.changed + totals.removed === 0)
      return { outcome: { changeId: null, ...totals, unmatched, version: null }, change: undefined };
    const isNew = known === undefined && source.name !== GROUND_TRUTH;
    const keeping = keptLists(lists, { before: isNew ? null : originOf(source), after: originOf(source) });
    putLists(draft, countedAfter(source, lists), lists, totals);
    const id = randomUUID();
    const made = { ...of, ...totals, id, source: source.name, mode, undoes: null, ...doneBy(act) };
    const change = keeping.then((kept) => ({ ...made, ...kept }));
    // The files are written meanwhile, and may fail before it is awaited.
    change.catch(() => undefined);
    return { outcome: { changeId: id, ...totals, unmatched, version: act.version }, change };
  }

  /** By position; none for a picture that the version does not have. */
  private async editsFor(
    version: OpenedVersion,
    named: readonly PictureEdits[],
    found: readonly (NamedPicture | undefined)[],
  ): Promise<(readonly Edit[])[]> {
    const rows = named.flatMap(({ edits }, at) => (typeof edits === 'function' ? (found[at]?.row ?? []) : []));
    const sizes = await this.pictures.sizesOf(version, [...new Set(rows)]);
    return named.map(({ edits }, at) => {
      const picture = found[at];
      if (picture === undefined) return [];
      return typeof edits === 'function' ? edits(sizes.get(picture.row)!) : edits;
    });
  }

  private async assertInSet(datasetId: string, pictures: readonly EditedPicture[]): Promise<void> {
    const set = await this.labels.findClosed(datasetId);
    if (set === undefined) return;
    const breaches = breachesIn(set, pictures);
    if (breaches.length > 0) throw new NotInLabelSetError(breaches);
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
  found: readonly (NamedPicture | undefined)[],
  edits: readonly (readonly Edit[])[],
): Map<number, { readonly id: string; readonly edits: Edit[] }> {
  const byRow = new Map<number, { readonly id: string; readonly edits: Edit[] }>();
  for (const [at, picture] of found.entries()) {
    if (picture === undefined) continue;
    const known = byRow.get(picture.row) ?? { id: picture.id, edits: [] };
    known.edits.push(...edits[at]!);
    byRow.set(picture.row, known);
  }
  return byRow;
}
