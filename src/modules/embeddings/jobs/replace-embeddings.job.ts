import { Injectable } from '@nestjs/common';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { uploadedModelId } from '../../../common/engine/models/model-error';
import { failpoint } from '../../../common/platform/config/failpoint';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import {
  JobHandler,
  type JobAttempt,
  type JobContext,
  type JobRunner,
} from '../../../common/platform/jobs/job-handler';
import { jobStep } from '../../../common/platform/jobs/job-step';
import { defineJob } from '../../../common/platform/jobs/job-type';
import type { DatasetPointer, PublishedTable } from '../../datasets';
import {
  BuildTableStep,
  type IndexingRun,
  modelsOf,
  type ProgressReporter,
  type TableModels,
  TableRows,
  TaskRunner,
  type ComparedRow,
  type RowSource,
} from '../../tables';
import { CarriedTags } from '../../versions';
import { SnapshotBefore } from '../../snapshots';
import { DatasetOperations, UsersMayStop, type OperationPayload, type StoppableOperation } from '../../tasks';
import { defaultLadder, defaultNearDuplicates } from '../domain/default-ladder';
import { embeddingUpload, type EmbeddingUpload } from '../domain/embedding-upload';
import { ReadVectorsStep, type ReadVectors } from './read-vectors.step';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { SpooledVectors } from './spooled-vectors';

/** The rows of a table with other vectors. */
class GivenRows implements RowSource {
  constructor(
    private readonly source: TableRows,
    private readonly vectors: SpooledVectors,
  ) {}

  get counts(): RowSource['counts'] {
    return this.source.counts;
  }

  rows(): AsyncGenerator<MediaRow> {
    return this.vectors.addedTo(this.source.rows());
  }

  comparedRows(): AsyncGenerator<ComparedRow> {
    return this.vectors.addedTo(this.source.comparedRows());
  }
}

export const REPLACE_EMBEDDINGS = defineJob<OperationPayload>('replace-embeddings');

export const EMBEDDING_UPLOAD: StoppableOperation<EmbeddingUpload> = {
  task: 'EMBEDDINGS',
  job: REPLACE_EMBEDDINGS,
  parameters: embeddingUpload,
  begun: 'embeddings-started',
  failed: () => ({ event: 'embeddings-completed', progress: 100 }),
  stoppable: { aborted: 'embeddings-completed', retried: 'embeddings-started' },
};

/** Parts of the progress; the rest is writing. */
const [READING, COMPARING] = [25, 55];

interface Indexed {
  readonly pointer: DatasetPointer;
  readonly table: MediaTable;
}

/** Replaces the vectors of a dataset's media by uploaded ones, and compares and clusters all media again. */
@JobHandler(REPLACE_EMBEDDINGS)
@UsersMayStop(EMBEDDING_UPLOAD)
@Injectable()
export class ReplaceEmbeddingsJob implements JobRunner<OperationPayload> {
  constructor(
    private readonly work: TaskRunner,
    private readonly operations: DatasetOperations,
    private readonly tables: MediaTableStore,
    private readonly readVectors: ReadVectorsStep,
    private readonly buildTable: BuildTableStep,
    private readonly tags: CarriedTags,
    private readonly snapshotBefore: SnapshotBefore,
  ) {}

  run(payload: OperationPayload, context: JobContext): Promise<void> {
    return this.work.run(payload, context, (run) => this.replace(run));
  }

  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.work.waiting(payload, sentence);
  }

  async failed(payload: OperationPayload, error: Error, attempt: JobAttempt): Promise<void> {
    await this.operations.fail(EMBEDDING_UPLOAD, payload, error, attempt);
  }

  private async replace(run: IndexingRun): Promise<void> {
    const { dataset, task, parameters: upload } = await this.operations.open(EMBEDDING_UPLOAD, run);
    const { pointer, counts } = dataset;
    if (pointer === null) throw new PermanentJobError('The dataset was never indexed');
    const table = await this.tables.open(pointer);
    const progress = this.work.progressOf(run);
    const { signal } = run.context;
    const read = await jobStep('read-vectors', () =>
      this.readVectors.read(upload, table, signal, (part) => progress.report(READING * part, 'Reading vectors')),
    );
    try {
      const rows = new GivenRows(new TableRows(table, counts, signal), read.vectors);
      const written = await this.write(
        run,
        rows,
        { pointer, table },
        modelsWith(upload, read, { pointer, table }),
        progress,
      );
      await progress.settle();
      await this.operations.complete(run, async (before) => {
        await this.snapshotBefore.takeIfOn(before, {
          reason: 'enrichment',
          description: `Before the vectors ${upload.id}`,
          createdBy: task.createdBy,
        });
        return { event: 'embeddings-completed', publishes: { table: written }, warnings: read.warnings };
      });
    } finally {
      await read.vectors.close();
    }
  }

  private async write(
    run: IndexingRun,
    rows: GivenRows,
    { pointer }: Indexed,
    models: TableModels,
    progress: ProgressReporter,
  ): Promise<PublishedTable> {
    const built = await this.buildTable.build(run, rows, models, (phase, part) => {
      if (phase === 'comparing') progress.report(READING + COMPARING * part, 'Comparing media');
      else progress.report(READING + COMPARING + 19 * part, 'Writing the table');
    });
    const tagsFile = await this.tags.rewrite(pointer.tagsFile, built.ordinalOf);
    failpoint('tags-carried');
    return { ...built, tagsFile };
  }
}

function modelsWith(
  { id, ladder }: EmbeddingUpload,
  { vectors, meanCosine }: ReadVectors,
  { pointer, table }: Indexed,
): TableModels {
  const modelId = uploadedModelId(id);
  return {
    ...modelsOf(pointer, table),
    modelId,
    ladder: ladder ?? defaultLadder(meanCosine),
    nearDuplicates: defaultNearDuplicates(meanCosine),
    dimensions: { ...table.dimensions, embedding: vectors.dimension },
    enrichments: { ...pointer.enrichments, IMAGE_ENCODING: { id: modelId, metadata: {} } },
  };
}
