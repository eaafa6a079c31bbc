import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository, type FindOptionsWhere } from 'typeorm';
import type { LabelFigures, SampledFigures } from '../../../common/engine/evaluation/evaluation-result';
import { versionName } from '../../../common/engine/media-table/table-version';
import { RELEASED_VERSION, versionColumns, type DatasetPointer } from '../../datasets';
import type { Evaluation, EvaluationSummary } from '../domain/evaluation';
import type { EvaluatedSlices } from '../domain/slice';
import { EvaluationEntity } from './evaluation.entity';

export interface CompletedEvaluation extends EvaluationSummary {
  readonly perClass: readonly LabelFigures[];
  readonly samples: SampledFigures;
  readonly slices: EvaluatedSlices;
}

export interface ListedEvaluations {
  readonly truth?: string | undefined;
  readonly predictions?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** What people may change of an evaluation. */
export interface EvaluationChange {
  readonly name?: string | undefined;
  readonly keepUpToDate?: boolean | undefined;
}

const checkedName = ({ annotationState, ...version }: DatasetPointer): string =>
  `${versionName(version)} ${annotationState ?? ''}`;

const RELEASED = { ...RELEASED_VERSION, tableVersion: null };
/** Columns that a copy in another dataset has for itself, or does not have. */
const NOT_COPIED = new Set(['id', 'datasetId', 'taskId', 'checkedVersion', ...Object.keys(RELEASED)]);

const summaryOf = (row: EvaluationEntity): EvaluationSummary | null =>
  row.completedAt && {
    completedAt: row.completedAt,
    file: row.resultFile!,
    pictures: row.nPictures!,
    truth: row.nTruth!,
    predictions: row.nPredictions!,
    confidence: row.confidence!,
    metrics: row.metrics!,
    errorCosts: row.errorCosts!,
    evaluated: row.evaluated!,
  };

const toEvaluation = (row: EvaluationEntity): Evaluation => ({
  id: row.id,
  datasetId: row.datasetId,
  name: row.name,
  truth: row.truth,
  predictions: row.predictions,
  task: row.task,
  protocol: row.protocol,
  options: row.options,
  pictures: row.pictures,
  filter: row.filter,
  keepUpToDate: row.keepUpToDate,
  taskId: row.taskId,
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  result: summaryOf(row),
  previousMetrics: row.previousMetrics,
});

@Injectable()
export class EvaluationRepository {
  constructor(@InjectRepository(EvaluationEntity) private readonly evaluations: Repository<EvaluationEntity>) {}

  async insert(evaluation: Omit<Evaluation, 'result' | 'previousMetrics'>): Promise<void> {
    await this.evaluations.insert(evaluation);
  }

  async find(datasetId: string, id: string): Promise<Evaluation | undefined> {
    const row = await this.evaluations.findOneBy({ id, datasetId });
    return row === null ? undefined : toEvaluation(row);
  }

  /** In the order of the result's labels; empty without a result. */
  async perClass(id: string): Promise<readonly LabelFigures[]> {
    const row = await this.evaluations.findOne({ where: { id }, select: { id: true, perClass: true } });
    return row?.perClass ?? [];
  }

  /** Of a result; none if another one has taken its place, and of few pictures. */
  async samples(id: string, resultFile: string): Promise<SampledFigures> {
    const row = await this.evaluations.findOne({ where: { id, resultFile }, select: { id: true, samples: true } });
    return row?.samples ?? {};
  }

  /** None without a result. */
  async slices(id: string): Promise<EvaluatedSlices> {
    const row = await this.evaluations.findOne({ where: { id }, select: { id: true, slices: true } });
    return row?.slices ?? { figure: null, slices: [] };
  }

  /** Newest first, with the number of all. */
  async list(
    datasetId: string,
    { truth, predictions, limit, offset }: ListedEvaluations,
  ): Promise<{ readonly total: number; readonly listed: readonly Evaluation[] }> {
    const where: FindOptionsWhere<EvaluationEntity> = {
      datasetId,
      ...(truth !== undefined && { truth }),
      ...(predictions !== undefined && { predictions }),
    };
    const order = { createdAt: 'DESC', id: 'ASC' } as const;
    const [rows, total] = await this.evaluations.findAndCount({ where, order, take: limit, skip: offset });
    return { total, listed: rows.map(toEvaluation) };
  }

  count(datasetId: string): Promise<number> {
    return this.evaluations.countBy({ datasetId });
  }

  async change(id: string, { name, keepUpToDate }: EvaluationChange): Promise<void> {
    await this.evaluations.update(
      { id },
      {
        ...(name !== undefined && { name }),
        ...(keepUpToDate !== undefined && { keepUpToDate, checkedVersion: null }),
      },
    );
  }

  /** Datasets that have changed since the evaluations that are kept up to date were checked. */
  async listChangedDatasets(): Promise<string[]> {
    const rows = await this.evaluations.query<{ id: string }[]>(
      `SELECT DISTINCT dataset.id FROM evaluation JOIN dataset ON dataset.id = evaluation.dataset_id
       WHERE evaluation.keep_up_to_date AND evaluation.checked_version IS DISTINCT FROM
         concat(dataset.generation_id, '@', dataset.table_version, ' ', dataset.annotation_state)`,
    );
    return rows.map(({ id }) => id);
  }

  /** Those of a dataset that are kept up to date and were not checked at this version. */
  async listUnchecked(datasetId: string, pointer: DatasetPointer): Promise<readonly Evaluation[]> {
    const checked = checkedName(pointer);
    const rows = await this.evaluations
      .createQueryBuilder('evaluation')
      .where('dataset_id = :datasetId AND keep_up_to_date AND checked_version IS DISTINCT FROM :checked')
      .setParameters({ datasetId, checked })
      .orderBy({ created_at: 'ASC', id: 'ASC' })
      .getMany();
    return rows.map(toEvaluation);
  }

  async setChecked(ids: readonly string[], pointer: DatasetPointer): Promise<void> {
    if (ids.length > 0) await this.evaluations.update({ id: In([...ids]) }, { checkedVersion: checkedName(pointer) });
  }

  /** Those that this task runs, or that wait for it. */
  async listOfTask(taskId: string): Promise<readonly Evaluation[]> {
    return (await this.evaluations.findBy({ taskId })).map(toEvaluation);
  }

  async setTask(id: string, taskId: string): Promise<void> {
    await this.evaluations.update({ id }, { taskId });
  }

  async delete(id: string): Promise<void> {
    await this.evaluations.delete({ id });
  }

  /** Returns false if another task has taken its place, or the evaluation was deleted. */
  async pin(taskId: string, pointer: DatasetPointer): Promise<boolean> {
    return (await this.evaluations.update({ taskId }, versionColumns(pointer))).affected === 1;
  }

  /** Unless the task was started again since: then its next attempt has pinned a version. */
  async releaseEnded(taskId: string): Promise<void> {
    await this.evaluations
      .createQueryBuilder()
      .update()
      .set(RELEASED)
      .where('task_id = :taskId AND EXISTS (SELECT 1 FROM task WHERE id = :taskId AND end_time IS NOT NULL)', {
        taskId,
      })
      .execute();
  }

  /** The result takes the place of the one before. */
  async complete(evaluation: Evaluation, completed: CompletedEvaluation): Promise<void> {
    await this.evaluations.update(
      { id: evaluation.id },
      {
        ...RELEASED,
        completedAt: completed.completedAt,
        resultFile: completed.file,
        nPictures: completed.pictures,
        nTruth: completed.truth,
        nPredictions: completed.predictions,
        confidence: completed.confidence,
        metrics: completed.metrics,
        previousMetrics: evaluation.result?.metrics ?? null,
        perClass: [...completed.perClass],
        errorCosts: completed.errorCosts,
        samples: completed.samples,
        slices: completed.slices,
        evaluated: completed.evaluated,
      },
    );
  }

  /** Those of a dataset that were made before a time and are completed, for another dataset. Returns their new ids by the old ones. */
  async copy(datasetId: string, toDatasetId: string, madeBefore: Date): Promise<ReadonlyMap<string, string>> {
    const { columns } = this.evaluations.metadata;
    const copied = columns.filter(({ propertyName }) => !NOT_COPIED.has(propertyName)).map((each) => each.databaseName);
    const rows = await this.evaluations.query<{ id: string; copy: string }[]>(
      `WITH original AS (
         SELECT gen_random_uuid() AS copy, * FROM evaluation
         WHERE dataset_id = $1 AND completed_at IS NOT NULL AND created_at <= $3
       ), inserted AS (
         INSERT INTO evaluation (id, dataset_id, ${copied.join()}) SELECT copy, $2, ${copied.join()} FROM original
       )
       SELECT id, copy FROM original`,
      [datasetId, toDatasetId, madeBefore],
    );
    return new Map(rows.map(({ id, copy }) => [id, copy]));
  }

  /** Filters that may name evaluations. */
  listFiltersNamingOthers(datasetId: string): Promise<{ readonly id: string; readonly filter: object }[]> {
    return this.evaluations.query(
      "SELECT id, filter FROM evaluation WHERE dataset_id = $1 AND filter::text LIKE '%evaluation%' ORDER BY id",
      [datasetId],
    );
  }

  async setFilter(id: string, filter: object): Promise<void> {
    await this.evaluations.update({ id }, { filter });
  }

  /** Which of the files of outcomes an evaluation has. */
  async filesAmong(files: readonly string[]): Promise<Set<string>> {
    const rows = await this.evaluations.find({ select: { resultFile: true }, where: { resultFile: In([...files]) } });
    return new Set(rows.map(({ resultFile }) => resultFile!));
  }
}
