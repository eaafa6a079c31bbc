import { Inject, Injectable } from '@nestjs/common';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { SourceNotAllowedError, SourceNotFoundError } from '../../../common/platform/storage/sources/source-files';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { Settings } from '../../settings';
import { tooManyMedia } from './domain/media-limit';
import type { BatchSource } from '../sources/domain/batch-source';
import { isAnnotationFileName, type AnnotationFileName } from '../annotations/domain/annotation-file';
import { classifyFileName } from '../sources/domain/media-formats';
import type { SourceFile } from '../sources/domain/source-file';
import { UnreadablePlaces } from '../sources/domain/unreadable-places';
import { UploadRepository } from '../persistence/upload.repository';
import { SourceMedia } from '../sources/source-media';
import { PART_WEIGHT, writeFileList } from './file-list';

export interface ListedSource {
  /** Key of the list of media files in the store. */
  readonly key: string;
  readonly files: number;
  /** How the list is cut into parts. */
  readonly partWeight: number;
  readonly annotations: readonly {
    readonly name: AnnotationFileName;
    readonly source: string;
    readonly size: number;
    readonly version: string | null;
  }[];
  /** Whether images and frames are labelled with the name of the folder that their file lies in; no by default. */
  readonly labelsFromFolders?: boolean;
  /** Warnings about parts of the source that could not be listed. */
  readonly warnings: readonly string[];
}

/** Lists the files of a run once, in a fixed order, so that changes of the source meanwhile don't matter. */
@Injectable()
export class ListSourceStep {
  constructor(
    private readonly settings: Settings,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly sources: SourceMedia,
    private readonly uploads: UploadRepository,
  ) {}

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
