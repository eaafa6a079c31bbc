import { Inject, Injectable } from '@nestjs/common';
import { confusionOf, largestLabels, type Confusion } from '../../common/engine/evaluation/confusion';
import type { Cuts } from '../../common/engine/evaluation/counted-outcomes';
import type { Curves } from '../../common/engine/evaluation/curves';
import { readCurves } from '../../common/engine/evaluation/curves-in-thread';
import { countOutcomes, type LabelOutcomes } from '../../common/engine/evaluation/outcome-counts';
import type { Outcomes } from '../../common/engine/evaluation/outcomes';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import { DatasetReader, type DatasetPointer } from '../datasets';
import { MediaNotFoundError } from '../search';
import { OutcomeCache, SourceAnnotations } from '../versions';
import {
  cutsOfResult,
  EvaluationNotFoundError,
  LabelNotFoundError,
  NoResultError,
  resultOf,
  type Evaluation,
  type EvaluationSummary,
} from './domain/evaluation';
import { outcomesInPicture, type PictureOutcomes } from './domain/picture-outcomes';
import { EvaluationRepository } from './persistence/evaluation.repository';

/** Larger matrices are not read by people. */
export const MOST_LABELS = 100;

export interface AskedFigures {
  readonly datasetId: string;
  readonly evaluationId: string;
  /** In the place of the confidences of the evaluation. */
  readonly confidence?: number | undefined;
}

export interface Counted {
  readonly confidence: number;
  readonly byLabel: readonly LabelOutcomes[];
}

export interface LabelledConfusion extends Confusion {
  readonly confidence: number;
  /** Of the evaluation. */
  readonly names: readonly string[];
  /** Numbers of those in the matrix. */
  readonly labels: readonly number[];
}

type Completed = Evaluation & { readonly result: EvaluationSummary };

/** Figures of an evaluation that are counted when they are asked for, from what became of each annotation. */
@Injectable()
export class EvaluationFiguresReader {
  constructor(
    private readonly evaluations: EvaluationRepository,
    private readonly outcomes: OutcomeCache,
    private readonly datasets: DatasetReader,
    @Inject(MediaTableStore) private readonly tables: Pick<MediaTableStore, 'open'>,
    private readonly annotations: SourceAnnotations,
  ) {}

  async counts(asked: AskedFigures, label?: string): Promise<Counted> {
    const evaluation = await this.completed(asked);
    const cuts = cutsOf(evaluation, asked.confidence);
    const outcomes = await this.outcomes.read(evaluation.result.file);
    numberOf(outcomes, label);
    const byLabel = await countOutcomes(outcomes, cuts);
    return {
      confidence: cuts.confidence,
      byLabel: label === undefined ? byLabel : byLabel.filter((each) => each.label === label),
    };
  }

  /** Of the largest labels, unless some are asked for. Media are counted that the dataset has now. */
  async confusion(asked: AskedFigures, labels: readonly string[] | undefined): Promise<LabelledConfusion> {
    const evaluation = await this.completed(asked);
    const cuts = cutsOf(evaluation, asked.confidence);
    const { table } = await this.opened(asked);
    const placed = await this.outcomes.place(evaluation.result.file, table);
    const { outcomes } = placed;
    const chosen = labels?.map((label) => numberOf(outcomes, label)!) ?? (await largestLabels(outcomes, MOST_LABELS));
    const confusion = await confusionOf(outcomes, cuts, chosen, (picture) => placed.hasPicture(picture));
    return { ...confusion, confidence: cuts.confidence, names: outcomes.labels, labels: chosen };
  }

  async curves(
    asked: AskedFigures,
    { label, precision }: { label: string | undefined; precision: number | undefined },
  ): Promise<Curves> {
    const { result } = await this.completed(asked);
    const outcomes = await this.outcomes.read(result.file);
    return readCurves(outcomes, numberOf(outcomes, label), precision);
  }

  /** What became of the annotations of a picture that are as they were. */
  async picture(asked: AskedFigures, mediaId: string): Promise<PictureOutcomes> {
    const evaluation = await this.completed(asked);
    const { pointer, table } = await this.opened(asked);
    const row = (await this.annotations.idsOf(table)).rowOfText(mediaId);
    if (row < 0) throw new MediaNotFoundError();
    const placed = await this.outcomes.place(evaluation.result.file, table);
    const said = async (source: string) =>
      (await (await this.annotations.open(pointer, table, source))?.annotationsOf([row]))?.[0] ?? [];
    return outcomesInPicture(placed.outcomes, cutsOf(evaluation, asked.confidence), placed.pictureOf(row), {
      truth: await said(evaluation.truth),
      predictions: await said(evaluation.predictions),
    });
  }

  private async opened({ datasetId }: AskedFigures): Promise<{ pointer: DatasetPointer; table: MediaTable }> {
    const { pointer } = await this.datasets.get(datasetId);
    if (pointer === null) throw new NoResultError();
    return { pointer, table: await this.tables.open(pointer) };
  }

  private async completed({ datasetId, evaluationId }: AskedFigures): Promise<Completed> {
    const evaluation = await this.evaluations.find(datasetId, evaluationId);
    if (evaluation === undefined) throw new EvaluationNotFoundError();
    return { ...evaluation, result: resultOf(evaluation) };
  }
}

const cutsOf = (evaluation: Completed, confidence: number | undefined): Cuts =>
  confidence === undefined ? cutsOfResult(evaluation) : { confidence };

/** Undefined for all labels. */
function numberOf({ labels }: Outcomes, label: string | undefined): number | undefined {
  if (label === undefined) return undefined;
  const number = labels.indexOf(label);
  if (number < 0) throw new LabelNotFoundError(label);
  return number;
}
