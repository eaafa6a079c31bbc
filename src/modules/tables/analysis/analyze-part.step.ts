import { randomUUID } from 'node:crypto';
import { pMapIterable } from 'p-map';
import { z } from 'zod';
import type { ComputePool } from '../../../common/engine/compute/compute-pool';
import { QUARANTINE_REASONS, type AnalyzeResult } from '../../../common/engine/compute/media-analysis';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { encodeChunk } from '../../../common/engine/media-table/row-batch';
import { StepRefusedError, type Step, type StepContext } from '../../../common/engine/steps/step';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { SourceOutsideError, type MediaSources } from '../../../common/platform/storage/sources/source-files';
import { ANNOTATION_FILE_NAMES } from '../annotation-files/domain/annotation-file';
import type { AnnotationIndex } from '../annotation-files/domain/annotation-index';
import { folderLabels, fileNameOf, type SourceFile } from './domain/source-file';
import { imageRows, videoRows } from './domain/media-rows';
import { readFileList } from './file-list';
import type { SharedAnnotations } from '../annotation-files/annotation-files';

const count = z.int().min(0);

const partInput = z.object({
  /** Key of the list of files in the store, and the position of the part in it. */
  listKey: z.string(),
  range: z.object({ start: count, end: count }),
  annotations: z
    .array(
      z.object({
        name: z.enum(ANNOTATION_FILE_NAMES),
        source: z.string(),
        size: count,
        version: z.string().nullable(),
      }),
    )
    .readonly(),
  /** The model that embeds the images. */
  modelId: z.string(),
  /** The batch of the media. */
  batchId: z.string(),
  swapRedBlueForTiffHeic: z.boolean(),
  /** Taller video frames are scaled down to this height; null to keep their size. */
  frameHeight: z.int().positive().nullable(),
  /** Whether images and frames are labelled with the name of the folder of their file. */
  labelsFromFolders: z.boolean().optional(),
  /** The prefix of the key of the chunk. */
  chunkPrefix: z.string(),
  /** Digest of everything that the rows depend on; null if it is unknown. */
  madeFrom: z.string().nullable(),
});

export const partResult = z.object({
  chunkKey: z.string(),
  /** The value from the input; steps of earlier versions had none. */
  madeFrom: z.string().nullable().default(null),
  files: count,
  images: count,
  videos: count,
  frames: count,
  objects: count,
  boxesOutside: count,
  annotatedVideos: count,
  quarantined: z
    .array(z.object({ path: z.string(), reason: z.enum(QUARANTINE_REASONS), detail: z.string() }))
    .readonly(),
});

export type PartInput = z.infer<typeof partInput>;
export type PartResult = z.infer<typeof partResult>;

export interface PartTools {
  readonly store: ObjectStore;
  readonly pool: ComputePool;
  readonly annotations: SharedAnnotations;
  /** Set on machines whose configuration may differ from that of the service, which listed the files. */
  readonly sources?: MediaSources;
}

interface Analyzed {
  readonly file: SourceFile;
  readonly result: AnalyzeResult;
}

class Chunk {
  files = 0;
  readonly rows: MediaRow[] = [];
  readonly quarantined: PartResult['quarantined'][number][] = [];
  boxesOutside = 0;
  annotatedVideos = 0;

  resultAt(chunkKey: string, madeFrom: string | null): PartResult {
    return {
      chunkKey,
      madeFrom,
      files: this.files,
      images: this.count('IMAGE'),
      videos: this.count('VIDEO'),
      frames: this.count('FRAME'),
      objects: this.count('OBJECT'),
      boxesOutside: this.boxesOutside,
      annotatedVideos: this.annotatedVideos,
      quarantined: this.quarantined,
    };
  }

  private count(kind: MediaRow['kind']): number {
    return this.rows.reduce((sum, row) => sum + (row.kind === kind ? 1 : 0), 0);
  }
}

/** Analyses one part of a file list in compute children, and stores its rows as a chunk. */
export class AnalyzePartStep implements Step<PartInput> {
  readonly name = 'analyze-part';
  readonly input = partInput;

  constructor(private readonly tools: PartTools) {}

  async run(input: PartInput, { signal, onItem }: StepContext): Promise<PartResult> {
    const { store, pool, annotations } = this.tools;
    const { listKey, range, chunkPrefix } = input;
    const { index } = await annotations.of({ key: listKey, annotations: input.annotations });
    const chunk = new Chunk();
    await this.assertConfigured(input);
    for await (const analyzed of pMapIterable(
      readFileList(store, listKey, range),
      (file) => this.analyze(file, input, index, signal),
      { concurrency: 4 * pool.capacity },
    )) {
      collect(chunk, analyzed, index, input);
      onItem?.();
    }
    const chunkKey = `${chunkPrefix}-${randomUUID()}.arrow`;
    await store.put(chunkKey, encodeChunk(chunk.rows));
    return chunk.resultAt(chunkKey, input.madeFrom);
  }

  /** Files that this machine must not read would be quarantined one by one. */
  private async assertConfigured({ listKey, range }: PartInput): Promise<void> {
    const { store, sources } = this.tools;
    if (sources === undefined) return;
    for await (const { source } of readFileList(store, listKey, range)) {
      await sources.stat(source).catch((error: unknown) => {
        if (error instanceof SourceOutsideError)
          throw new StepRefusedError(
            `The node that analyses files is not configured as this service: ${error.message}`,
          );
      });
      return;
    }
  }

  private async analyze(
    file: SourceFile,
    { modelId, swapRedBlueForTiffHeic, frameHeight }: PartInput,
    annotations: AnnotationIndex,
    signal: AbortSignal,
  ): Promise<Analyzed> {
    const result = await this.tools.pool.analyze(
      {
        source: file.source,
        modelId,
        fileName: fileNameOf(file.path),
        boxes: annotations.get(file.path)?.objects ?? [],
        swapRedBlueForTiffHeic,
        frameHeight,
      },
      { signal },
    );
    return { file, result };
  }
}

function collect(
  chunk: Chunk,
  { file, result }: Analyzed,
  annotations: AnnotationIndex,
  { batchId, labelsFromFolders = false }: PartInput,
): void {
  const folders = labelsFromFolders ? folderLabels(file.path) : [];
  const annotation = annotations.get(file.path);
  chunk.files += 1;
  switch (result.kind) {
    case 'IMAGE':
      chunk.rows.push(...imageRows(file, result, { annotation, folders }, batchId));
      chunk.boxesOutside += (annotation?.objects.length ?? 0) - result.objects.length;
      return;
    case 'VIDEO':
      chunk.rows.push(...videoRows(file, result, folders, batchId));
      if (annotation !== undefined) chunk.annotatedVideos += 1;
      return;
    case 'QUARANTINED':
      chunk.quarantined.push({ path: file.path, reason: result.reason, detail: result.detail });
  }
}
