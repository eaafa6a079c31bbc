import { Inject, Injectable } from '@nestjs/common';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { SourceNotAllowedError, SourceNotFoundError } from '../../../common/platform/storage/sources/source-files';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { Dataset } from '../../datasets';
import { Settings } from '../../settings';
import { tooManyMedia, type BatchSource } from './domain/source-location';
import {
  classifyFileName,
  isAnnotationFileName,
  type ListedSource,
  PART_WEIGHT,
  type SourceFile,
  writeFileList,
} from '../../tables';
import { UnreadablePlaces } from './domain/unreadable-places';
import { UploadRepository } from '../persistence/upload.repository';
import { SourceMedia } from './source-media';

/** Where the media of a batch come from. */
@Injectable()
export class BatchSources {
  constructor(
    private readonly settings: Settings,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly sources: SourceMedia,
    private readonly uploads: UploadRepository,
  ) {}

  /** The source of a new dataset. */
  async ofNew({ id: datasetId, sourceUri }: Dataset): Promise<BatchSource> {
    if (sourceUri !== null) return { kind: 'location', uri: sourceUri, assumeRole: null };
    const transactionId = await this.uploads.processedTransaction(datasetId);
    if (transactionId === undefined) throw new PermanentJobError('The dataset has no processed upload transaction');
    return { kind: 'upload', transactionId };
  }

  /** Call it when the task can't be retried any more, so that only uploads referenced by the table are needed. */
  async forget(source: BatchSource): Promise<void> {
    if (source.kind === 'upload') await this.uploads.remove(source.transactionId);
  }

  /** Lists the files once, in a fixed order, so that changes of the source meanwhile don't matter. */
  async list(source: BatchSource, key: string, signal: AbortSignal): Promise<ListedSource> {
    const annotations: ListedSource['annotations'][number][] = [];
    let files = 0;
    const maxImages = this.settings.number('MAX_NUM_OF_IMAGES');
    const unreadable = new UnreadablePlaces();
    const everything = this.everything(source, unreadable);
    async function* media(): AsyncGenerator<SourceFile> {
      for await (const file of everything) {
        signal.throwIfAborted();
        const kind = classifyFileName(file.path);
        if (kind === 'annotation' && isAnnotationFileName(file.path)) annotations.push({ ...file, name: file.path });
        if (kind === 'unsupported') unreadable.skipByExtension(file.path);
        if (kind !== 'image' && kind !== 'video') continue;
        files += 1;
        if (files > maxImages) throw new PermanentJobError(tooManyMedia(maxImages));
        yield file;
      }
    }
    await writeFileList(this.store, key, media());
    const warnings = unreadable.sentences();
    if (files === 0 && warnings.length > 0) throw new PermanentJobError(warnings.join(' '));
    return {
      key,
      files,
      partWeight: PART_WEIGHT,
      annotations,
      warnings: [...warnings, ...unreadable.extensionWarnings()],
    };
  }

  private async *everything(source: BatchSource, unreadable: UnreadablePlaces): AsyncGenerator<SourceFile> {
    if (source.kind === 'location') {
      yield* this.ofLocation(source.uri, source.assumeRole, unreadable);
      return;
    }
    for await (const file of this.uploads.files(source.transactionId)) {
      yield { source: `store:${file.storeKey}`, path: file.path, size: file.sizeBytes, version: null };
    }
  }

  private async *ofLocation(
    uri: string,
    role: string | null,
    unreadable: UnreadablePlaces,
  ): AsyncGenerator<SourceFile> {
    try {
      yield* this.sources.list(uri, unreadable, role);
    } catch (error) {
      await this.sources.assertReachable(uri);
      const isGone = error instanceof SourceNotFoundError || error instanceof SourceNotAllowedError;
      throw isGone ? new PermanentJobError(error.message, { cause: error }) : error;
    }
    // Folders that were unmounted in the middle of the list were passed over.
    await this.sources.assertReachable(uri);
  }
}
