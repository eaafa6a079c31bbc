import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
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
import { StoreFullError, type ObjectStore } from '../../../common/platform/storage/object-store';
import {
  MediaSources,
  RoleRefusedError,
  SourceNotAllowedError,
  SourceNotFoundError,
} from '../../../common/platform/storage/sources/source-files';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { DatasetOperations, TaskLedger, type OperationPayload, type OperationType } from '../../tasks';
import { Losses } from '../../../common/engine/annotation-formats/fit-annotations';
import type { ArchiveFormat, ExportedImage, ExportInfo, MediaBatches } from '../archive/archive-format';
import { annotationFormat, TABLE_FORMATS, type TableFormat } from '../archive/formats';
import { lossesText, sourceFormat } from '../archive/source-format';
import { NO_SHAPES, type PlacedSource } from '../../versions';
import { ZipBytes, type ArchiveMember } from '../../../common/platform/archives/zip-bytes';
import { archiveKey, exportFolder, type RunningExport } from '../domain/export';
import { ExportInfoReader } from '../export.reader';
import { ExportRepository } from '../persistence/export.repository';
import { ItemReaders } from './item-readers';
import { parseSource } from '../../../common/platform/storage/sources/source-location';
import { ImageNames } from '../domain/image-names';
import type { ItemRow, MediaItem } from '../domain/media-item';

/** Larger images are streamed. */
const MOST_WHOLE_BYTES = 16 * 2 ** 20;
const AT_ONCE = 4;

type Read = { readonly bytes: Uint8Array } | { readonly stream: AsyncIterable<Uint8Array> } | { readonly error: Error };

/** The originals of an export; records the unreadable ones. */
class ImageMembers {
  /** The reason by media id. */
  private readonly missing = new Map<string, string>();

  constructor(
    private readonly sources: MediaSources,
    private readonly items: MediaBatches,
    private readonly imageAt: NonNullable<ArchiveFormat['imageAt']> = (_, name) => `images/${name}`,
  ) {}

  get missed(): number {
    return this.missing.size;
  }

  async *members(): AsyncGenerator<ArchiveMember> {
    const names = new ImageNames();
    for await (const batch of this.items()) {
      const placed = batch.flatMap((item) => {
        const name = this.imageAt(item, names.of(item.row.id, item.row.fileName));
        return name === null ? [] : { item, name };
      });
      for await (const [{ item, name }, read] of this.readEach(placed)) {
        if ('bytes' in read) yield { name, bytes: read.bytes };
        else if ('error' in read) this.miss(item.row, read.error);
        else yield { name, stream: read.stream, level: 0, onBroken: (error) => this.miss(item.row, error) };
      }
    }
  }

  /** One after the other, each as a whole. */
  async *whole(): AsyncGenerator<ExportedImage> {
    for await (const batch of this.items())
      for await (const [{ item }, read] of this.readEach(batch.map((each) => ({ item: each })))) {
        try {
          if ('error' in read) throw read.error;
          yield { item, bytes: 'bytes' in read ? read.bytes : await buffer(read.stream) };
        } catch (error) {
          this.miss(item.row, error as Error);
          yield { item };
        }
      }
  }

  /** Some at once. */
  private async *readEach<Placed extends { readonly item: MediaItem }>(
    placed: readonly Placed[],
  ): AsyncGenerator<readonly [Placed, Read]> {
    const reading: Promise<Read>[] = [];
    let next = 0;
    for (const each of placed) {
      while (next < placed.length && reading.length < AT_ONCE) reading.push(this.read(placed[next++]!.item.row));
      yield [each, await reading.shift()!];
    }
  }

  /** The items again, with the names of their images in the archive. */
  async *named(): AsyncGenerator<readonly MediaItem[]> {
    const names = new ImageNames();
    for await (const batch of this.items()) {
      yield batch.map((item) => {
        const name = names.of(item.row.id, item.row.fileName);
        const imageError = this.missing.get(item.row.id) ?? null;
        return { ...item, imageError, imageName: imageError === null ? name : null };
      });
    }
  }

  private async read({ source, sizeBytes }: ItemRow): Promise<Read> {
    if (sizeBytes > MOST_WHOLE_BYTES) return { stream: this.opened(source) };
    try {
      return { bytes: await this.sources.read(source) };
    } catch (error) {
      return { error: error as Error };
    }
  }

  /** Opened when its turn comes. */
  private async *opened(source: string): AsyncGenerator<Uint8Array> {
    yield* (await this.sources.open(source)) as AsyncIterable<Uint8Array>;
  }

  /** Whether an image is permanently unreadable. Temporary failures fail the attempt instead, and the export is retried. */
  private miss({ id, source }: ItemRow, error: Error): void {
    const isGone =
      error instanceof SourceNotFoundError ||
      error instanceof SourceNotAllowedError ||
      error instanceof RoleRefusedError ||
      parseSource(source).kind === 'file';
    if (!isGone) throw error;
    this.missing.set(id, error.message);
  }
}

export const EXPORT = defineJob<OperationPayload>('export', { concurrency: 2 });

export const EXPORTING: OperationType = {
  task: 'EXPORT',
  job: EXPORT,
  parameters: z.object({}),
  begun: null,
  failed: null,
};

const KEPT_MS = 24 * 60 * 60 * 1000;
const REPORT_MS = 1_000;

/** Streams the archive to the store. An interrupted attempt starts over. */
@JobHandler(EXPORT)
@Injectable()
export class ExportJob implements JobRunner<OperationPayload> {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly sources: MediaSources,
    private readonly operations: DatasetOperations,
    private readonly tasks: TaskLedger,
    private readonly exports: ExportRepository,
    private readonly readers: ItemReaders,
    private readonly info: ExportInfoReader,
  ) {}

  async run(payload: OperationPayload, context: JobContext): Promise<void> {
    const { taskId } = payload;
    const running = await this.exports.findRunning(taskId);
    if (running === undefined) return;
    await this.store.deletePrefix(exportFolder(taskId));
    await this.tasks.report(taskId, 0, 'Exporting');
    const key = archiveKey(taskId, context.attempt);
    const warnings = await jobStep('write-archive', () => this.write(key, running, context));
    const resultMessage = warnings.length === 0 ? null : warnings.join('. ');
    const expiresAt = new Date(Date.now() + KEPT_MS);
    await this.operations.complete({ ...payload, context }, () => ({
      event: null,
      warnings,
      afterwards: () => this.exports.complete(taskId, { archiveKey: key, expiresAt, resultMessage }),
    }));
  }

  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.operations.reportWaiting(payload, sentence);
  }

  async failed(payload: OperationPayload, error: Error, attempt: JobAttempt): Promise<void> {
    if (await this.operations.fail(EXPORTING, payload, error, attempt))
      await this.exports.fail(payload.taskId, error.message);
  }

  /** Returns what the archive lacks. */
  private async write(key: string, running: RunningExport, context: JobContext): Promise<string[]> {
    const reader = await this.readers.open(running);
    const losses = new Losses();
    const format = await formatOf(running, reader.source, losses);
    const walks = format.walks + (running.includeImages ? 1 : 0);
    const items = this.watched(() => reader.walk(), running, walks, context.signal);
    const images = running.includeImages ? new ImageMembers(this.sources, items, format.imageAt) : undefined;
    const zip = new ZipBytes();
    const bytes = zip.of(membersOf(format, await this.info.of(running), items, images));
    try {
      const stored = await this.store.put(key, Readable.from(bytes, { objectMode: false }));
      if (stored.size !== zip.bytes)
        throw new Error(
          `The store has ${stored.size} of ${zip.bytes} bytes of the archive. The export will be retried.`,
        );
    } catch (error) {
      // A retry would not free space.
      throw error instanceof StoreFullError ? new PermanentJobError(error.message, { cause: error }) : error;
    }
    const missed = images?.missed ?? 0;
    return [
      ...(missed === 0
        ? []
        : [`${missed} of ${running.entitiesCount} images could not be read and are not in the archive`]),
      ...lossesText(losses),
    ];
  }

  /** Aborts with the job, and reports progress. */
  private watched(
    walk: MediaBatches,
    { taskId, entitiesCount }: RunningExport,
    walks: number,
    signal: AbortSignal,
  ): MediaBatches {
    const { tasks } = this;
    const total = Math.max(1, entitiesCount * walks);
    let done = 0;
    let reportedAt = Date.now();
    return async function* () {
      for await (const batch of walk()) {
        signal.throwIfAborted();
        yield batch;
        failpoint('archive-begun');
        done += batch.length;
        if (Date.now() - reportedAt < REPORT_MS) continue;
        reportedAt = Date.now();
        await tasks.report(taskId, Math.floor((99 * Math.min(done, total)) / total), 'Exporting');
      }
    };
  }
}

async function formatOf(
  { format, source }: RunningExport,
  placed: PlacedSource | undefined,
  losses: Losses,
): Promise<ArchiveFormat> {
  if (source === null) return TABLE_FORMATS[format as TableFormat];
  const counts = (await placed?.counts()) ?? NO_SHAPES;
  return sourceFormat(format, annotationFormat(format, counts), losses, placed?.source.skeletons);
}

/** Images first, because the metadata lists the unreadable ones. */
async function* membersOf(
  format: ArchiveFormat,
  info: ExportInfo,
  items: MediaBatches,
  images: ImageMembers | undefined,
): AsyncGenerator<ArchiveMember> {
  if (images !== undefined && format.withImages !== undefined) {
    yield* format.withImages(info, images.whole());
    return;
  }
  if (images !== undefined) yield* images.members();
  yield* format.members(info, images === undefined ? items : () => images.named());
}
