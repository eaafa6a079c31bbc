import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Annotation, shapeKindOf } from '../../common/engine/annotations/annotation';
import { ConflictError, NotFoundError } from '../../common/platform/errors/domain-error';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { ChangeNotFoundError, ChangeSourceUseCase, UndoChangeUseCase, type PictureEdits } from '../annotations';
import { DatasetReader } from '../datasets';
import {
  GROUND_TRUTH,
  objectId,
  PublishedStateReader,
  SourceAnnotations,
  VersionOpener,
  type OpenedVersion,
} from '../versions';
import { isOfPair, type SeenSuggestion } from './domain/label-suggestion';
import { LabelSuggestions, type AskedSuggestions } from './label-suggestions';
import { KeptLabelRepository } from './persistence/kept-label.repository';

/** Of one request. */
export const MOST_DECIDED = 5_000;

export interface LabelDecisions {
  readonly takeOver: readonly SeenSuggestion[];
  readonly keep: readonly SeenSuggestion[];
}

export interface DecidedLabels {
  /** Undefined if nothing was decided. */
  readonly decisionId: string | undefined;
  readonly takenOver: number;
  readonly kept: number;
  /** Media that the dataset does not have, or that have another label now. */
  readonly unmatched: readonly string[];
}

export interface PairAbove extends AskedSuggestions {
  readonly label?: string | undefined;
  readonly suggested?: string | undefined;
}

class DecisionNotFoundError extends NotFoundError {
  constructor() {
    super('Decision not found');
  }
}

class NotIndexedError extends ConflictError {
  constructor() {
    super('Labels are judged when a dataset is indexed, and this one is not indexed yet.');
  }
}

interface Edited {
  readonly edits: readonly PictureEdits[];
  readonly unmatched: readonly string[];
}

/** Takes over suggested labels in what people say, or keeps the labels and remembers that. All of a request is done, or nothing. */
@Injectable()
export class DecideLabelsUseCase {
  constructor(
    private readonly states: PublishedStateReader,
    private readonly versions: VersionOpener,
    private readonly annotations: SourceAnnotations,
    private readonly suggestions: LabelSuggestions,
    private readonly sources: ChangeSourceUseCase,
    private readonly undoChange: UndoChangeUseCase,
    private readonly kept: KeptLabelRepository,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
  ) {}

  async decide(datasetId: string, { takeOver, keep }: LabelDecisions, by: Principal): Promise<DecidedLabels> {
    using version = await this.opened(datasetId);
    const edited = await this.edited(version, takeOver);
    const { seen, unmatched } = await this.asSeen(version, keep);
    return await this.record(datasetId, { ...edited, unmatched: [...edited.unmatched, ...unmatched] }, seen, by);
  }

  /** Takes over all suggestions with so much confidence, up to a number of them. */
  async takeOverAbove(
    datasetId: string,
    asked: PairAbove,
    by: Principal,
  ): Promise<DecidedLabels & { readonly hasMore: boolean }> {
    using version = await this.opened(datasetId);
    const { suggestions } = await this.suggestions.of(datasetId, version, asked);
    const chosen = suggestions.filter((each) => isOfPair(each, asked));
    const edited = await this.edited(version, chosen.slice(0, MOST_DECIDED));
    return { ...(await this.record(datasetId, edited, [], by)), hasMore: chosen.length > MOST_DECIDED };
  }

  /** Returns how many media are undecided again. */
  async undo(datasetId: string, decisionId: string, by: Principal): Promise<number> {
    try {
      let forgotten = 0;
      const { added, changed } = await this.undoChange.undo(datasetId, decisionId, by, async () => {
        forgotten = await this.kept.forget(datasetId, decisionId);
      });
      return added + changed + forgotten;
    } catch (error) {
      if (!(error instanceof ChangeNotFoundError)) throw error;
    }
    const forgotten = await this.kept.forget(datasetId, decisionId);
    if (forgotten === 0) throw new DecisionNotFoundError();
    return forgotten;
  }

  private async opened(datasetId: string): Promise<OpenedVersion> {
    const { pointer } = await this.states.get(datasetId);
    if (pointer === null) throw new NotIndexedError();
    return this.versions.open(pointer);
  }

  private async record(
    datasetId: string,
    { edits, unmatched }: Edited,
    keep: readonly SeenSuggestion[],
    by: Principal,
  ): Promise<DecidedLabels> {
    const decided = { takenOver: edits.length, kept: keep.length, unmatched };
    const remember = (id: string) => this.kept.keep({ id, datasetId, by: by.email }, keep);
    if (edits.length === 0) {
      if (keep.length === 0) return { decisionId: undefined, ...decided };
      const decisionId = randomUUID();
      await this.transactions.run(async () => {
        await this.datasets.lock(datasetId);
        await remember(decisionId);
      });
      return { decisionId, ...decided };
    }
    const asked = { source: GROUND_TRUTH, kind: 'truth', modelId: null, mode: 'merge', pictures: edits } as const;
    const { changeId } = await this.sources.edit(datasetId, asked, by, {
      alongside: ({ changeId: id }) => (id === null ? Promise.resolve() : remember(id)),
    });
    return { decisionId: changeId ?? undefined, ...decided };
  }

  /** Those whose media have the labels that were seen. */
  private async asSeen(
    { table, index }: OpenedVersion,
    decided: readonly SeenSuggestion[],
  ): Promise<{ readonly seen: readonly SeenSuggestion[]; readonly unmatched: readonly string[] }> {
    const ids = await this.annotations.idsOf(table);
    const isAsSeen = ({ mediaId, label }: SeenSuggestion): boolean => {
      const row = ids.rowOfText(mediaId);
      return row >= 0 && isOnly(index.labelsOf(row), label);
    };
    const unmatched = decided.filter((each) => !isAsSeen(each)).map(({ mediaId }) => mediaId);
    return { seen: decided.filter(isAsSeen), unmatched };
  }

  /** The annotations with the suggested labels. */
  private async edited(version: OpenedVersion, decided: readonly SeenSuggestion[]): Promise<Edited> {
    const { table, pointer } = version;
    const { seen, unmatched } = await this.asSeen(version, decided);
    const ids = await this.annotations.idsOf(table);
    const media = await table.takeRows(
      seen.map(({ mediaId }) => ids.rowOfText(mediaId)),
      ['kind', 'parentId'],
    );
    const pictures = media.map(({ kind, parentId }, at) => (kind === 'OBJECT' ? parentId! : seen[at]!.mediaId));
    const placed = await this.annotations.open(pointer, table, GROUND_TRUTH);
    const lists = (await placed?.annotationsOf(pictures.map((id) => ids.rowOfText(id)))) ?? [];
    const edits: PictureEdits[] = [];
    const others: string[] = [];
    for (const [at, suggestion] of seen.entries()) {
      const mediaId = pictures[at]!;
      const said = saidBefore(lists[at] ?? [], mediaId, suggestion);
      const given = { ...said, label: suggestion.suggested };
      if (said === undefined) others.push(suggestion.mediaId);
      else edits.push({ picture: { mediaId }, edits: [{ kind: 'merge', given }] });
    }
    return { edits, unmatched: [...unmatched, ...others] };
  }
}

const isOnly = (labels: readonly string[], label: string): boolean => labels.length === 1 && labels[0] === label;

/** The annotation that has the label; a new one if only a model has said it, undefined if that was about an object. */
function saidBefore(
  said: readonly Annotation[],
  pictureId: string,
  { mediaId, label }: SeenSuggestion,
): Partial<Annotation> | undefined {
  if (mediaId !== pictureId)
    return said.find(({ id }) => id === mediaId || objectId(pictureId, GROUND_TRUTH, id) === mediaId);
  return said.find((each) => each.label === label && shapeKindOf(each) === 'label') ?? {};
}
