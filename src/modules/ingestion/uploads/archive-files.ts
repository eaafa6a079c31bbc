import { randomUUID } from 'node:crypto';
import { extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { ForeignFiles, ReaderEndedError } from '../../../common/engine/compute/readers/foreign-files';
import { ReadLimitError } from '../../../common/engine/compute/readers/reader-messages';
import { ArchiveRefusedError } from '../../../common/platform/archives/archive-member';
import type { ArchiveLimits } from '../../../common/platform/archives/open-archive';
import { ServiceBusyError } from '../../../common/platform/errors/domain-error';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { STAGING_PREFIX } from '../../../common/platform/storage/staged-file';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { ArchiveInput, ArchivePiece } from './archive.reader';
import type { ReceivedUpload } from './content-blobs';

const READER = join(__dirname, `archive.reader${extname(__filename)}`);
const RETRY_AFTER_SECONDS = 5;

export interface ArchiveReception {
  readonly source: Readable;
  readonly limits: ArchiveLimits;
  readonly userId: string;
  /** Called with the files stored so far, so that their staged copies are deleted in any case. */
  readonly onReceived: (uploads: readonly ReceivedUpload[]) => void;
}

/** Unpacks archives into the store while they arrive, each in a child process. */
@Injectable()
export class ArchiveFiles {
  private readonly logger = new Logger(ArchiveFiles.name);

  constructor(
    private readonly foreignFiles: ForeignFiles,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  /** Throws if the archive is invalid or incomplete, or the store fails; its staged copies are then deleted. */
  async receive({ source, limits, userId, onReceived }: ArchiveReception): Promise<void> {
    const input: ArchiveInput = { limits, staging: `${STAGING_PREFIX}${randomUUID()}/` };
    try {
      const pieces = this.foreignFiles.readStream<ArchivePiece>({ module: READER, input }, source, userId);
      for await (const uploads of pieces) onReceived(uploads);
    } catch (error) {
      await this.removeStaged(input.staging);
      throw this.asAnswered(error);
    }
  }

  /** The child may have ended without deleting the copy that it was writing. */
  private async removeStaged(staging: string): Promise<void> {
    try {
      await this.store.deletePrefix(staging);
      await this.store.removeUnfinished();
    } catch (error) {
      // The failure of the archive is the error to report.
      this.logger.warn({ err: error }, `The objects below ${staging} remain until a sweep removes them`);
    }
  }

  private asAnswered(error: unknown): unknown {
    if (error instanceof ReadLimitError) return new ArchiveRefusedError(`it ${error.message}`);
    if (!(error instanceof ReaderEndedError)) return error;
    this.logger.error({ err: error }, 'An archive was not unpacked');
    const detail = 'The process that unpacked the archive ended before it was done. Send the archive again.';
    return new ServiceBusyError(detail, RETRY_AFTER_SECONDS);
  }
}
