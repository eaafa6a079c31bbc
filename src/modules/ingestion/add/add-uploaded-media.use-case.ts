import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import type { Principal } from '../../../common/platform/http/principal';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { DatasetReader } from '../../datasets';
import { StartAddition } from './start-addition';
import { ArchiveFiles } from '../uploads/archive-files';
import { ContentBlobs, type ReceivedUpload, blobKey } from '../uploads/content-blobs';
import { type Addition, MediaSourceCountError, NoMediaInArchiveError } from './domain/addition';
import { MediaLock, classifyFileName } from '../../tables';
import { UploadRepository } from '../persistence/upload.repository';
import type { ArrivingFile, FormRule } from '../../../common/platform/http/multipart';
import { ValidationFailedError } from '../../../common/platform/http/zod-validation.pipe';
import { dropStagedFiles, stageFile } from '../../../common/platform/storage/staged-file';
import type { ArchiveLimits } from '../../../common/platform/archives/open-archive';
import { safeRelativePath } from '../sources/domain/safe-relative-path';
import { assertAccepted, assertArchiveName } from '../uploads/domain/upload-errors';

interface UploadedMediaOptions {
  readonly store: ObjectStore;
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  readonly archives: ArchiveFiles;
  readonly archiveLimits: ArchiveLimits;
  readonly userId: string;
}

type FileSource = 'files' | 'archive';

const isMedia = ({ path }: ReceivedUpload): boolean => ['image', 'video'].includes(classifyFileName(path));

/** Stores the files of a form, or of its archive. The caller must call `discardStaged` at the end. */
class UploadedMedia implements FormRule {
  readonly maxFiles: number;
  private readonly taking = new Set<Promise<void>>();
  private readonly received: ReceivedUpload[] = [];
  private source: FileSource | undefined;

  constructor(private readonly options: UploadedMediaOptions) {
    this.maxFiles = options.maxFiles;
  }

  get hasSource(): boolean {
    return this.source !== undefined;
  }

  get uploads(): readonly ReceivedUpload[] {
    return this.received;
  }

  accept({ field, clientName }: Pick<ArrivingFile, 'field' | 'clientName'>): void {
    if (field !== 'files' && field !== 'archive') throw wrongField(field);
    if (this.source !== undefined && (field === 'archive' || this.source === 'archive'))
      throw new MediaSourceCountError();
    this.source = field;
    if (field === 'archive') assertArchiveName(clientName);
    else assertAccepted(clientName);
  }

  take(file: ArrivingFile): Promise<void> {
    const taking = (file.field === 'archive' ? this.takeArchive(file) : this.takeFile(file)).finally(() =>
      this.taking.delete(taking),
    );
    this.taking.add(taking);
    return taking;
  }

  /** Deletes the staged copies; files stored under their final key remain. */
  async discardStaged(): Promise<void> {
    await Promise.allSettled(this.taking);
    await dropStagedFiles(
      this.options.store,
      this.received.flatMap(({ stagingKey }) => stagingKey ?? []),
    );
  }

  private async takeFile({ clientName, stream }: ArrivingFile): Promise<void> {
    const { store, maxFileBytes } = this.options;
    const path = safeRelativePath(clientName);
    const { key, size, sha256 } = await stageFile(store, stream, { maxBytes: maxFileBytes });
    this.received.push({ path, storeKey: blobKey(sha256, path), sizeBytes: size, sha256, stagingKey: key });
  }

  private async takeArchive({ clientName, stream }: ArrivingFile): Promise<void> {
    await this.options.archives.receive({
      source: stream,
      limits: this.options.archiveLimits,
      userId: this.options.userId,
      onReceived: (uploads) => this.received.push(...uploads),
    });
    if (!this.received.some(isMedia)) throw new NoMediaInArchiveError(clientName);
  }
}

const wrongField = (field: string): ValidationFailedError =>
  new ValidationFailedError([
    {
      type: 'unexpected',
      loc: ['body', field],
      msg: "Files go into the form field 'files', an archive into 'archive'",
      input: field,
    },
  ]);

const MAX_ARCHIVE_MEMBERS = 1_000_000;

/** Receives files and archives as a stream, and starts their addition once all have arrived. */
@Injectable()
export class AddUploadedMediaUseCase {
  private readonly blobs: ContentBlobs;

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly media: MediaLock,
    private readonly uploads: UploadRepository,
    private readonly archives: ArchiveFiles,
    private readonly additions: StartAddition,
  ) {
    this.blobs = new ContentBlobs(store);
  }

  open(userId: string): UploadedMedia {
    const { maxFilesPerUpload, maxUploadBytes, maxArchiveBytes } = this.configuration;
    return new UploadedMedia({
      store: this.store,
      maxFiles: maxFilesPerUpload,
      maxFileBytes: maxUploadBytes,
      archives: this.archives,
      userId,
      archiveLimits: { maxBytes: maxArchiveBytes, maxMembers: MAX_ARCHIVE_MEMBERS },
    });
  }

  async start(
    datasetId: string,
    received: readonly ReceivedUpload[],
    batch: Omit<Addition, 'source'>,
    caller: Principal,
  ): Promise<void> {
    await this.blobs.promote(received);
    await this.transactions.run(async () => {
      await this.media.share();
      const dataset = await this.datasets.lock(datasetId);
      const transactionId = await this.uploads.open(datasetId);
      const source = { kind: 'upload', transactionId } as const;
      await this.additions.start(dataset, { ...batch, source }, caller);
      await this.blobs.restore(received);
      await this.uploads.addFiles({ id: transactionId, datasetId, processedAt: null }, received);
      await this.uploads.markProcessed(transactionId);
    });
  }
}
