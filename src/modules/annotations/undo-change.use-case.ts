import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import { isSourceOfTable, NO_SHAPES, sourceNamed, type AnnotationSource } from '../versions';
import { NOTHING, sumOf, type AnnotationDraft } from './annotation-draft';
import { MAX_SOURCES } from './change-source.use-case';
import { changedSince, countedAfter, keptLists, putLists, type ChangedList, type FoundConflict } from './changed-lists';
import {
  AlreadyUndoneError,
  ChangedSourceGoneError,
  ChangeNotFoundError,
  ContentNotKeptError,
  doneBy,
  type AnnotationChange,
} from './domain/annotation-change';
import { countsOf, withoutChange, type ChangeCounts, type PictureChange } from './domain/picture-change';
import { newAct, type Act } from './domain/source-change';
import { TooManySourcesError } from './domain/source-errors';
import { ChangeContent, originOf, type ChangedSource } from './history/change-content';
import { ChangeHistory } from './history/change-history';
import { AnnotationChangeRepository } from './persistence/annotation-change.repository';
import { PicturesNamed } from './pictures-named';
import { StateChanges } from './state-changes';

export interface UndoOutcome extends ChangeCounts {
  /** Of the change that the undo is. */
  readonly changeId: string;
}

/** Makes annotations exactly what they were before a change, unless they were changed again since. The undo of an undo does the change again. */
@Injectable()
export class UndoChangeUseCase {
  constructor(
    private readonly changes: StateChanges,
    private readonly pictures: PicturesNamed,
    private readonly kept: AnnotationChangeRepository,
    private readonly history: ChangeHistory,
  ) {}

  /** `alongside` runs in the transaction that publishes the undo; if it throws, nothing is changed. */
  async undo(
    datasetId: string,
    changeId: string,
    caller: Principal,
    alongside?: (outcome: UndoOutcome) => Promise<void>,
  ): Promise<UndoOutcome> {
    const act = newAct(caller.email);
    const undo = await this.changes.applyAlone(datasetId, {
      make: (draft) => this.make(draft, datasetId, changeId, act),
      commit: async (made) => {
        const { added, changed, removed, undoes } = made;
        await this.history.record(made, caller, { added, changed, removed, undoes });
        await alongside?.(outcomeOf(made));
      },
    });
    return outcomeOf(undo);
  }

  private async make(draft: AnnotationDraft, datasetId: string, changeId: string, act: Act): Promise<AnnotationChange> {
    const change = await this.kept.find(datasetId, changeId);
    if (change === undefined) throw new ChangeNotFoundError();
    if (await this.kept.isUndone(changeId)) throw new AlreadyUndoneError();
    if (change.content === null) throw new ContentNotKeptError();
    const content = await ChangeContent.unpacked(change.content);
    const { name, queueId } = { name: change.source, queueId: change.queueId };
    const source = sourceToChange(draft, name, content.source);
    const pictures = await content.pictures();
    const lists = await this.listsBefore(draft, source, change, pictures);
    const counts = undoCounts(pictures);
    const after = countedAfter(source, lists);
    // It was made by the change.
    const isOver = content.source.before === null && sumOf(after.counts) === 0;
    const existed = sourceNamed(draft.sources, name) !== undefined || isSourceOfTable(draft.version.pointer, name);
    const kept = await keptLists(lists, {
      before: existed ? originOf(source) : null,
      after: isOver ? null : originOf(source),
    });
    if (isOver) draft.remove(source);
    else putLists(draft, after, lists, counts);
    const made = { ...kept, ...counts, ...doneBy(act), id: randomUUID(), datasetId, source: name, queueId };
    return { ...made, mode: 'undo', undoes: changeId };
  }
  private async listsBefore(
    draft: AnnotationDraft,
    source: AnnotationSource,
    { mediaIds }: AnnotationChange,
    changes: readonly PictureChange[],
  ): Promise<ChangedList[]> {
    const { version } = draft;
    const found = await this.pictures.find(
      version,
      mediaIds.map((mediaId) => ({ mediaId })),
    );
    const now = await draft.annotationsOf(
      source,
      found.flatMap((picture) => picture?.row ?? []),
    );
    const conflicts: FoundConflict[] = [];
    const lists: ChangedList[] = [];
    let next = 0;
    for (const [at, picture] of found.entries()) {
      const before = picture === undefined ? undefined : now[next++]!;
      const { annotations: after, conflicts: own } = withoutChange(before, changes[at]!);
      for (const conflict of own) conflicts.push({ mediaId: mediaIds[at]!, row: picture?.row, conflict });
      if (picture !== undefined) lists.push({ ...picture, before: before!, after });
    }
    if (conflicts.length > 0) throw await changedSince(version, source.name, conflicts);
    return lists;
  }
}

const outcomeOf = ({ id, added, changed, removed }: AnnotationChange): UndoOutcome => ({
  changeId: id,
  added,
  changed,
  removed,
});

/** The source as it is now, or as the change found it if it is the undo of the first one. */
function sourceToChange({ sources, version }: AnnotationDraft, name: string, changed: ChangedSource): AnnotationSource {
  const known = sourceNamed(sources, name);
  if (known !== undefined) return known;
  if (changed.before === null || (changed.after !== null && !isSourceOfTable(version.pointer, name)))
    throw new ChangedSourceGoneError(name);
  if (sources.length >= MAX_SOURCES) throw new TooManySourcesError(MAX_SOURCES);
  return { name, counts: NO_SHAPES, segments: [], ...changed.before };
}

/** What was added is removed. */
const undoCounts = (pictures: readonly PictureChange[]): ChangeCounts =>
  pictures.map(countsOf).reduce(
    (sum, { added, changed, removed }) => ({
      added: sum.added + removed,
      changed: sum.changed + changed,
      removed: sum.removed + added,
    }),
    NOTHING,
  );
