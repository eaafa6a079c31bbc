import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { MediaTableStore } from '../../common/engine/media-table/media-table-store';
import { isSameVersion } from '../../common/engine/media-table/table-version';
import type { OrdinalSet } from '../../common/engine/media-table/ordinal-set';
import { AuditLog } from '../audit';
import { DatasetReader, DatasetStatusError, type Dataset, type DatasetPointer, grants } from '../datasets';
import { DatasetOperations, TaskLedger } from '../tasks';
import { SelectionResolver, type MediaSelection } from '../search';
import { GROUND_TRUTH, SourceAnnotations, TagNames } from '../versions';
import {
  archiveName,
  type Export,
  DatasetChangedError,
  ExportNotFoundError,
  ExportOverError,
  ForeignExportError,
  SourceNotFoundError,
} from './domain/export';
import { isTableFormat, type ExportFormat } from './archive/formats';
import type { ExportWithTask } from './export.reader';
import { exportedRows } from './exported-rows';
import { EXPORTING } from './jobs/export.job';
import { ExportRepository } from './persistence/export.repository';

/** Takes effect immediately; leftovers of the job are swept. */
@Injectable()
export class CancelExportUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly tasks: TaskLedger,
    private readonly operations: DatasetOperations,
    private readonly exports: ExportRepository,
    private readonly datasets: DatasetReader,
  ) {}

  cancel(datasetId: string, taskId: string, caller: Principal): Promise<void> {
    return this.transactions.run(async () => {
      if ((await this.exports.find(datasetId, taskId)) === undefined) throw new ExportNotFoundError();
      const task = await this.tasks.lock(taskId);
      if (task.createdBy !== caller.email && !(await this.mayChange(datasetId, caller))) throw new ForeignExportError();
      if (!(await this.operations.abort(task))) throw new ExportOverError();
      await this.exports.fail(taskId, 'Cancelled');
    });
  }

  private async mayChange(datasetId: string, caller: Principal): Promise<boolean> {
    const role = await this.datasets.roleOn(caller, datasetId);
    return role !== undefined && grants(role, 'write');
  }
}

export interface NewExport {
  readonly fileName: string;
  readonly format: ExportFormat;
  readonly includeImages: boolean;
  readonly withEmbeddings: boolean;
  /** Whose annotations; formats that need one have ground truth by default. */
  readonly source?: string | undefined;
  /** Default: the whole dataset. */
  readonly selection?: MediaSelection;
}

type ReadyDataset = Dataset & { readonly pointer: DatasetPointer };

interface Resolved {
  readonly pointer: DatasetPointer;
  readonly selected: OrdinalSet;
  readonly items: number;
}

const MOST_TRIES = 3;

/** Pins the current version of the dataset. */
@Injectable()
export class StartExportUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly tables: MediaTableStore,
    private readonly selections: SelectionResolver,
    private readonly tagNames: TagNames,
    private readonly annotations: SourceAnnotations,
    private readonly operations: DatasetOperations,
    private readonly exports: ExportRepository,
    private readonly audit: AuditLog,
  ) {}

  async start(datasetId: string, wanted: NewExport, by: Principal): Promise<ExportWithTask> {
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      const resolved = wanted.selection && (await this.resolve(datasetId, wanted.selection));
      const begun = await this.transactions.run(async () => {
        const dataset = ready(await this.datasets.lock(datasetId));
        if (resolved !== undefined && !isSameVersion(resolved.pointer, dataset.pointer)) return undefined;
        return this.open(dataset, wanted, resolved, by);
      });
      if (begun !== undefined) return begun;
    }
    throw new DatasetChangedError();
  }

  private async resolve(datasetId: string, selection: MediaSelection): Promise<Resolved> {
    const { pointer } = ready(await this.datasets.get(datasetId));
    const selected = await this.selections.resolve(datasetId, pointer, selection);
    const items = await exportedRows(await this.tables.open(pointer), selected);
    return { pointer, selected, items: items.size };
  }

  private async open(
    dataset: ReadyDataset,
    { fileName, format, includeImages, withEmbeddings, source: asked }: NewExport,
    resolved: Resolved | undefined,
    by: Principal,
  ): Promise<ExportWithTask> {
    const { id: datasetId, displayName, counts, pointer } = dataset;
    const source = asked ?? (isTableFormat(format) ? null : GROUND_TRUTH);
    if (source !== null && !(await this.annotations.has(pointer, source))) throw new SourceNotFoundError(source);
    const task = await this.operations.start(EXPORTING, dataset, by.email, {});
    const made: Export = {
      taskId: task.id,
      datasetId,
      fileName: archiveName(fileName),
      format,
      includeImages,
      embeddingModel: withEmbeddings ? pointer.modelId : null,
      source,
      entitiesCount: resolved?.items ?? counts.images + counts.frames,
      exportedBy: by.name,
      resultMessage: null,
      archiveKey: null,
      expiresAt: null,
    };
    await this.exports.insert({
      ...made,
      version: { ...pointer, tags: await this.tagNames.list(datasetId) },
      selection: resolved?.selected.toBytes() ?? null,
    });
    const { entitiesCount: items } = made;
    await this.audit.recordBy(by, 'export_started', datasetId, { name: displayName, task: task.id, format, items });
    return { made, task, downloadUri: null };
  }
}

function ready(dataset: Dataset): ReadyDataset {
  const { status, pointer } = dataset;
  if (status !== 'READY' || pointer === null) throw new DatasetStatusError('export', status, ['READY']);
  return { ...dataset, pointer };
}
