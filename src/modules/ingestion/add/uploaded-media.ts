import type { ArrivingFile, FormRule } from '../../../common/platform/http/multipart';
import { ValidationFailedError } from '../../../common/platform/http/zod-validation.pipe';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { dropStagedFiles, stageFile } from '../../../common/platform/storage/staged-file';
import type { ArchiveFiles } from '../uploads/archive-files';
import type { ArchiveLimits } from '../../../common/platform/archives/open-archive';
import { blobKey, type ReceivedUpload } from '../uploads/content-blobs';
import { MediaSourceCountError, NoMediaInArchiveError } from './domain/addition-errors';
import { classifyFileName } from '../../tables';
import { safeRelativePath } from '../sources/domain/safe-relative-path';
import { assertAccepted, assertArchiveName } from '../uploads/accepted-name';

export interface UploadedMediaOptions {
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
export class UploadedMedia implements FormRule {
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
