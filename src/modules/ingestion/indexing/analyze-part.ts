import { Inject, Injectable } from '@nestjs/common';
import { pMapIterable } from 'p-map';
import { ComputePool } from '../../../common/engine/compute/compute-pool';
import type { AnalyzeResult } from '../../../common/engine/compute/media-analysis';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { encodeChunk } from '../../../common/engine/media-table/row-batch';
import { failpoint } from '../../../common/platform/config/failpoint';
import type { JobContext } from '../../../common/platform/jobs/job-handler';
import { Metrics } from '../../../common/platform/observability/metrics';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { Settings } from '../../settings';
import type { AnnotationIndex } from '../annotations/domain/annotation-index';
import { ChunkJournalRepository } from '../persistence/chunk-journal.repository';
import { QuarantineRepository, type QuarantinedFile } from '../persistence/quarantine.repository';
import { fileNameOf, type SourceFile } from '../sources/domain/source-file';
import { imageRows, videoRows } from './domain/media-rows';
import { attemptName, workPrefix, readFileList, type FilePart } from './file-list';

/** Of which run the files are, and how they are read. */
export interface PartOwner {
  readonly datasetId: string;
  readonly taskId: string;
  /** The batch of its media. */
  readonly batchId: string;
  /** Key of the list of files in the store. */
  readonly listKey: string;
  /** The model that embeds the images. */
  readonly modelId: string;
}

interface Analyzed {
  readonly file: SourceFile;
  readonly result: AnalyzeResult;
}

class Chunk {
  readonly rows: MediaRow[] = [];
  readonly quarantined: QuarantinedFile[] = [];
  boxesOutside = 0;
  annotatedVideos = 0;

  count(kind: MediaRow['kind']): number {
    return this.rows.reduce((sum, row) => sum + (row.kind === kind ? 1 : 0), 0);
  }
}

/** Analyses one part of a file list in compute children, and stores its rows as a chunk, which is recorded in the journal. */
@Injectable()
export class AnalyzePart {
  constructor(
    private readonly settings: Settings,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly pool: ComputePool,
    private readonly journal: ChunkJournalRepository,
    private readonly quarantine: QuarantineRepository,
    private readonly metrics: Metrics,
  ) {}

  /** `assertOwned` runs in the transaction of the record, and throws if the run no longer wants it. */
  async run(
    owner: PartOwner,
    part: FilePart,
    annotations: AnnotationIndex,
    context: JobContext,
    { onFile, assertOwned }: { onFile?: () => void; assertOwned?: () => Promise<void> } = {},
  ): Promise<void> {
    const chunk = new Chunk();
    const files = readFileList(this.store, owner.listKey, part.range);
    for await (const analyzed of pMapIterable(
      files,
      (file) => this.analyze(file, owner.modelId, annotations, context.signal),
      { concurrency: 4 * this.pool.capacity },
    )) {
      this.collect(chunk, analyzed, annotations, owner.batchId);
      onFile?.();
    }
    const storeKey = `${workPrefix(owner.taskId)}${attemptName(context)}-${part.sequence}.arrow`;
    await this.store.put(storeKey, encodeChunk(chunk.rows));
    failpoint('chunk-stored');
    await context.commitProgress(async () => {
      await assertOwned?.();
      await this.record(owner, part, chunk, storeKey);
    });
    failpoint('chunk-journalled');
  }

  private async analyze(
    file: SourceFile,
    modelId: string,
    annotations: AnnotationIndex,
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

  private async record(
    { datasetId, taskId }: PartOwner,
    { sequence, files }: FilePart,
    chunk: Chunk,
    storeKey: string,
  ): Promise<void> {
    await this.journal.add(datasetId, taskId, {
      sequence,
      storeKey,
      files,
      images: chunk.count('IMAGE'),
      videos: chunk.count('VIDEO'),
      frames: chunk.count('FRAME'),
      objects: chunk.count('OBJECT'),
      boxesOutside: chunk.boxesOutside,
      annotatedVideos: chunk.annotatedVideos,
    });
    await this.quarantine.add(datasetId, taskId, chunk.quarantined);
  }
}
