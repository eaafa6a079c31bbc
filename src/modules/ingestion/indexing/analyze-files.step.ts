import { Inject, Injectable } from '@nestjs/common';
import { pMapIterable } from 'p-map';
import { ComputePool } from '../../../common/engine/compute/compute-pool';
import type { AnalyzeResult } from '../../../common/engine/compute/media-analysis';
import { failpoint } from '../../../common/platform/config/failpoint';
import { JobShutdownError, JobYieldedError } from '../../../common/platform/jobs/job-errors';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { encodeChunk } from '../../../common/engine/media-table/row-batch';
import { Metrics } from '../../../common/platform/observability/metrics';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { Settings } from '../../settings';
import type { AnnotationIndex } from '../annotations/domain/annotation-index';
import { imageRows, videoRows } from './domain/media-rows';
import { fileNameOf, type SourceFile } from '../sources/domain/source-file';
import { ChunkJournalRepository } from '../persistence/chunk-journal.repository';
import { QuarantineRepository, type QuarantinedFile } from '../persistence/quarantine.repository';
import { attemptName, readFileList, workPrefix } from './file-list';
import type { IndexingRun } from './indexing-run';
import type { ListedSource } from './list-source.step';

const CHUNK_FILES = 256;
const CHUNK_MS = 5000;
/** Time slice of a dataset while others are waiting. */
const TURN_MS = 10_000;

interface Analyzed {
  readonly file: SourceFile;
  readonly result: AnalyzeResult;
}

interface AnalysisInputs {
  readonly annotations: AnnotationIndex;
  /** The model that embeds the images. */
  readonly modelId: string;
}

class Chunk {
  readonly startedAt = Date.now();
  readonly rows: MediaRow[] = [];
  readonly quarantined: QuarantinedFile[] = [];
  files = 0;
  boxesOutside = 0;
  annotatedVideos = 0;

  get isFull(): boolean {
    return this.files >= CHUNK_FILES || Date.now() - this.startedAt >= CHUNK_MS;
  }

  count(kind: MediaRow['kind']): number {
    return this.rows.reduce((sum, row) => sum + (row.kind === kind ? 1 : 0), 0);
  }
}

/** Analyses the files of a list in compute children, and stores the rows in chunks, each recorded in the journal. */
@Injectable()
export class AnalyzeFilesStep {
  constructor(
    private readonly settings: Settings,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly pool: ComputePool,
    private readonly journal: ChunkJournalRepository,
    private readonly quarantine: QuarantineRepository,
    private readonly metrics: Metrics,
  ) {}

  async run(
    run: IndexingRun,
    listed: ListedSource,
    how: AnalysisInputs,
    onFiles: (done: number) => void,
  ): Promise<void> {
    const journalled = await this.journal.list(run.taskId);
    let done = journalled.reduce((sum, chunk) => sum + chunk.files, 0);
    let sequence = journalled.length;
    let chunk = new Chunk();
    const turnEnds = Date.now() + TURN_MS;
    let flushing = Promise.resolve();
    const flush = async (): Promise<void> => {
      await flushing;
      if (chunk.files === 0) return;
      flushing = this.flush(run, chunk, sequence);
      // The failure is rethrown at the next flush or at the end.
      flushing.catch(() => undefined);
      sequence += 1;
      chunk = new Chunk();
    };
    const files = readFileList(this.store, listed.key, done);
    try {
      for await (const analyzed of pMapIterable(files, (file) => this.analyze(file, how, run.context.signal), {
        concurrency: 4 * this.pool.capacity,
      })) {
        this.collect(chunk, analyzed, how.annotations, run.batchId);
        done += 1;
        onFiles(done);
        if (!chunk.isFull) continue;
        await flush();
        if (Date.now() < turnEnds || !(await run.context.shouldYield())) continue;
        await flushing;
        throw new JobYieldedError();
      }
    } catch (error) {
      // Save what is analysed for the resumed run, unless another run owns the work already.
      if (run.context.signal.reason instanceof JobShutdownError) {
        await flush();
        await flushing;
      }
      throw error;
    }
    await flush();
    await flushing;
  }

  private async analyze(
    file: SourceFile,
    { annotations, modelId }: AnalysisInputs,
    signal: AbortSignal,
  ): Promise<Analyzed> {
    const result = await this.pool.analyze(
      {
        source: file.source,
        modelId,
        fileName: fileNameOf(file.path),
        boxes: annotations.get(file.path)?.objects ?? [],
        swapRedBlueForTiffHeic: this.settings.isOn('SWAP_RGB_CHANNELS_FOR_TIFF_HEIC'),
        // 0 keeps their size.
        frameHeight: this.settings.number('FRAME_EXTRACTION_RESIZE_HEIGHT') || null,
      },
      { signal },
    );
    return { file, result };
  }

  private collect(chunk: Chunk, { file, result }: Analyzed, annotations: AnnotationIndex, batchId: string): void {
    chunk.files += 1;
    this.metrics.indexedFiles.inc();
    const annotation = annotations.get(file.path);
    switch (result.kind) {
      case 'IMAGE':
        chunk.rows.push(...imageRows(file, result, annotation, batchId));
        chunk.boxesOutside += (annotation?.objects.length ?? 0) - result.objects.length;
        return;
      case 'VIDEO':
        chunk.rows.push(...videoRows(file, result, batchId));
        if (annotation !== undefined) chunk.annotatedVideos += 1;
        return;
      case 'QUARANTINED':
        this.metrics.quarantined.inc({ reason: result.reason });
        chunk.quarantined.push({
          path: file.path,
          reason: result.reason,
          detail: result.detail,
          quarantinedAt: new Date(),
        });
    }
  }

  private async flush(run: IndexingRun, chunk: Chunk, sequence: number): Promise<void> {
    const storeKey = `${workPrefix(run.taskId)}${attemptName(run.context)}-${sequence}.arrow`;
    await this.store.put(storeKey, encodeChunk(chunk.rows));
    failpoint('chunk-stored');
    await run.context.commitProgress(async () => {
      await this.journal.add(run.datasetId, run.taskId, {
        sequence,
        storeKey,
        files: chunk.files,
        images: chunk.count('IMAGE'),
        videos: chunk.count('VIDEO'),
        frames: chunk.count('FRAME'),
        objects: chunk.count('OBJECT'),
        boxesOutside: chunk.boxesOutside,
        annotatedVideos: chunk.annotatedVideos,
      });
      await this.quarantine.add(run.datasetId, run.taskId, chunk.quarantined);
    });
    failpoint('chunk-journalled');
  }
}
