import { Injectable } from '@nestjs/common';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import { DatasetReader, type AppliedModels, type Dataset, type DatasetCounts } from '../datasets';
import { TaskLedger, type Task } from '../tasks';
import { withoutFoundObjects } from './apply/base-tables';
import { enrichment, type Enrichment } from './apply/enrich-dataset.job';
import { contextIdOf, isAnythingApplied, type ContextStatus } from './domain/context';
import { ContextNotFoundError } from './domain/enrichment-errors';
import { KINDS_SEEN } from './domain/findings';
import { AppliedChunkRepository } from './persistence/applied-chunk.repository';

export interface EnrichmentContext {
  readonly id: string;
  readonly status: ContextStatus;
  readonly applied: AppliedModels;
}

export interface ModelProgress {
  readonly type: string;
  readonly id: string;
  readonly status: ContextStatus;
  readonly progress: number;
}

export interface EnrichmentStatus {
  readonly id: string;
  readonly status: ContextStatus;
  readonly progress: number;
  /** The dataset that receives the results. */
  readonly targetId: string | null;
  readonly errorMessage: string | null;
  readonly models: readonly ModelProgress[];
}

const STATUS_OF: Readonly<Record<Task['status'], ContextStatus>> = {
  INITIALIZING: 'RUNNING',
  RUNNING: 'RUNNING',
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
  ABORTED: 'ABORTED',
};

/** The progress or result of the last enrichment of a dataset. */
@Injectable()
export class EnrichmentStatusReader {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly tables: MediaTableStore,
    private readonly tasks: TaskLedger,
    private readonly journal: AppliedChunkRepository,
  ) {}

  async context(datasetId: string): Promise<EnrichmentContext> {
    const { pointer } = await this.datasets.get(datasetId);
    const applied = pointer?.enrichments ?? {};
    const task = await this.tasks.latest(datasetId, 'ENRICHMENT');
    return { id: contextIdOf(datasetId), status: statusOf(task, applied), applied };
  }

  async status(datasetId: string, contextId: string): Promise<EnrichmentStatus> {
    const dataset = await this.datasets.get(datasetId);
    assertContext(datasetId, contextId);
    const task = await this.tasks.latest(datasetId, 'ENRICHMENT');
    const status = statusOf(task, dataset.pointer?.enrichments ?? {});
    const parameters = task === undefined ? undefined : enrichment.parse(task.parameters);
    return {
      id: contextId,
      status,
      progress: task?.progress ?? (status === 'COMPLETED' ? 100 : 0),
      targetId: parameters === undefined ? null : (parameters.copyId ?? datasetId),
      errorMessage: task?.errorMessage ?? null,
      models: task === undefined || parameters === undefined ? [] : await this.progressOf(task, parameters, dataset),
    };
  }

  private async progressOf(task: Task, { models }: Enrichment, dataset: Dataset): Promise<ModelProgress[]> {
    const status = STATUS_OF[task.status];
    if (status !== 'RUNNING')
      return models.map(({ type, id }) => ({ type, id, status, progress: status === 'COMPLETED' ? 100 : 0 }));
    const done = await this.journal.doneByType(task.id);
    const detects = models.some(({ type }) => type === 'OBJECT_DETECTION');
    const { images, frames, objects } = detects ? await this.countsThatStay(dataset) : dataset.counts;
    const found = done.get('OBJECT_DETECTION')?.objects ?? 0;
    return models.map(({ type, id, toFoundOnly = false }) => {
      const seen = KINDS_SEEN[type];
      const ofTable = (seen.includes('IMAGE') ? images + frames : 0) + (seen.includes('OBJECT') ? objects : 0);
      const all = (toFoundOnly ? 0 : ofTable) + (seen.includes('OBJECT') ? found : 0);
      const part = (done.get(type)?.media ?? 0) / Math.max(1, all);
      return { type, id, status, progress: Math.min(100, Math.floor(100 * part)) };
    });
  }

  /** Without the objects that a detection replaces. */
  private async countsThatStay({ pointer, counts, thumbnailKey }: Dataset): Promise<DatasetCounts> {
    if (pointer === null) return counts;
    const table = await this.tables.open(pointer);
    return (await withoutFoundObjects({ pointer, table, counts, thumbnailKey })).counts;
  }
}

function statusOf(task: Task | undefined, applied: AppliedModels): ContextStatus {
  if (task !== undefined) return STATUS_OF[task.status];
  return isAnythingApplied(applied) ? 'COMPLETED' : 'NEW';
}

export function assertContext(datasetId: string, contextId: string): void {
  if (contextIdOf(datasetId) !== contextId.toLowerCase()) throw new ContextNotFoundError();
}
