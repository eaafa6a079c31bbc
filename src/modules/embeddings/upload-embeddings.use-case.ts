import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import type { ObjectStore } from '../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../common/platform/storage/storage.module';
import { AuditLog } from '../audit';
import { DatasetReader, DatasetStatusError, type Dataset, type DatasetStatus } from '../datasets';
import { workPrefix } from '../tables';
import { DatasetOperations, TaskLedger } from '../tasks';
import { type EmbeddingUpload, vectorFormatOf, type Naming } from './domain/embedding-upload';
import { EMBEDDING_UPLOAD } from './jobs/replace-embeddings.job';
import type { ArrivingFile, FormRule } from '../../common/platform/http/multipart';
import { ValidationFailedError } from '../../common/platform/http/zod-validation.pipe';
import { stageFile } from '../../common/platform/storage/staged-file';

const FIELDS = ['vectors', 'names'] as const;
type Field = (typeof FIELDS)[number];

interface Destination {
  readonly taskId: string;
  readonly below: string;
  readonly maxBytes: number;
}

const isField = (field: string): field is Field => FIELDS.some((each) => each === field);

/** Stores the file of vectors of a form, and its list of names. Call `discard` if the task does not begin. */
export class ReceivedVectors implements FormRule {
  readonly maxFiles = FIELDS.length;
  private readonly announced = new Map<Field, string>();
  private readonly stored = new Map<Field, EmbeddingUpload['vectors']>();
  private readonly taking = new Set<Promise<void>>();

  constructor(
    private readonly store: ObjectStore,
    private readonly destination: Destination,
  ) {}

  get taskId(): string {
    return this.destination.taskId;
  }

  accept({ field, clientName }: Pick<ArrivingFile, 'field' | 'clientName'>): void {
    if (!isField(field))
      throw refused(field, "The file of vectors goes into the form field 'vectors', the list of names into 'names'");
    if (this.announced.has(field)) throw refused(field, 'Input should be one file');
    if (field === 'vectors' && vectorFormatOf(clientName) === undefined)
      throw refused(field, 'Input should be a .npy or .parquet file');
    this.announced.set(field, clientName);
  }

  take({ field, stream }: ArrivingFile): Promise<void> {
    const taking = this.receive(field as Field, stream).finally(() => this.taking.delete(taking));
    this.taking.add(taking);
    return taking;
  }

  /** Throws ValidationFailedError if a file is missing, or is one too many. */
  files(naming: Naming): Pick<EmbeddingUpload, 'format' | 'vectors' | 'names'> {
    const [vectors, names] = FIELDS.map((field) => this.stored.get(field));
    const format = vectorFormatOf(this.announced.get('vectors') ?? '');
    if (vectors === undefined || format === undefined) throw refused('vectors', 'Field required');
    if (format === 'npy' && names === undefined)
      throw refused(
        'names',
        'Field required: a text file with the name of each row of the .npy file on a line of its own',
      );
    if (format === 'parquet' && names !== undefined)
      throw refused('names', 'A .parquet file names its vectors in a column of its own');
    return { format, vectors, names: names === undefined ? null : { ...names, naming } };
  }

  async discard(): Promise<void> {
    await Promise.allSettled(this.taking);
    // A sweep removes remaining objects; the reason of the refusal must not be lost.
    await this.store.deletePrefix(this.destination.below).catch(() => undefined);
  }

  private async receive(field: Field, stream: ArrivingFile['stream']): Promise<void> {
    const { below, maxBytes } = this.destination;
    const { key, size } = await stageFile(this.store, stream, { below, maxBytes });
    this.stored.set(field, { key, size });
  }
}

const refused = (field: string, msg: string): ValidationFailedError =>
  new ValidationFailedError([{ type: 'value_error', loc: ['body', field], msg, input: null }]);

const ACCEPT_EMBEDDINGS: readonly DatasetStatus[] = ['READY'];

/** Starts the job that replaces the vectors of a dataset by uploaded ones. */
@Injectable()
export class UploadEmbeddingsUseCase {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly tasks: TaskLedger,
    private readonly operations: DatasetOperations,
    private readonly audit: AuditLog,
  ) {}

  /** Preliminary check before the body is read, without locks: the upload may still be refused later. */
  async assertPossible(datasetId: string): Promise<void> {
    await this.assertAccepting(await this.datasets.get(datasetId));
  }

  /** The files are received where the task looks for them; a sweep removes those of a task that never began. */
  open(): ReceivedVectors {
    const taskId = randomUUID();
    return new ReceivedVectors(this.store, {
      taskId,
      below: workPrefix(taskId),
      maxBytes: this.configuration.maxUploadBytes,
    });
  }

  /** Returns the id of the task. */
  async start(datasetId: string, taskId: string, upload: EmbeddingUpload, caller: Principal): Promise<string> {
    return this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      await this.assertAccepting(dataset);
      await this.operations.start(EMBEDDING_UPLOAD, dataset, caller.email, upload, { taskId });
      await this.audit.recordBy(caller, 'embeddings_uploaded', datasetId, {
        name: dataset.displayName,
        task: taskId,
        embeddings: upload.id,
      });
      return taskId;
    });
  }

  private async assertAccepting({ id, status }: Dataset): Promise<void> {
    await this.tasks.assertNotBlocked('upload_embeddings', id);
    if (!ACCEPT_EMBEDDINGS.includes(status))
      throw new DatasetStatusError('upload_embeddings', status, ACCEPT_EMBEDDINGS);
  }
}
