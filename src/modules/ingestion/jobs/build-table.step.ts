import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../common/config/configuration';
import { failpoint } from '../../../common/config/failpoint';
import { writeEdges } from '../../../common/media-table/edges-file';
import type { MediaRow } from '../../../common/media-table/media-row';
import { MediaTableStore } from '../../../common/media-table/media-table-store';
import { decodeChunk } from '../../../common/media-table/row-batch';
import { DEFAULT_IMAGE_MODEL, ModelRegistry } from '../../../common/models/model-registry';
import { TextEmbeddings } from '../../../common/models/text-embeddings';
import { computeSimilarityStructure } from '../../../common/similarity/compute-similarity-structure';
import type { SimilarityStructure } from '../../../common/similarity/similarity-structure';
import type { ObjectStore } from '../../../common/storage/object-store';
import { OBJECT_STORE } from '../../../common/storage/storage.module';
import { GenerationRepository, type DatasetCounts, type PublishedTable } from '../../datasets';
import { groupOf, type RowGroup } from '../domain/final-order';
import { ChunkJournalRepository, type AnalyzedChunk } from '../persistence/chunk-journal.repository';
import { withCaptionEmbeddings } from './caption-embeddings';
import { EmbeddingGroup, RowPlacement } from './embedding-groups';
import { attemptName } from './file-list';
import type { IndexingRun } from './indexing-run';
import { sortByRank } from './row-sorter';

export type BuildPhase = 'comparing' | 'writing';

/** From the chunks of a run to the one table that holds them, complete and in its final order. */
@Injectable()
export class BuildTableStep {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly models: ModelRegistry,
    private readonly texts: TextEmbeddings,
    private readonly tables: MediaTableStore,
    private readonly journal: ChunkJournalRepository,
    private readonly generations: GenerationRepository,
  ) {}

  async build(run: IndexingRun, onProgress: (phase: BuildPhase, part: number) => void): Promise<PublishedTable> {
    const chunks = await this.journal.list(run.taskId);
    const counts = sumCounts(chunks);
    const structures = await this.compare(run, chunks, counts, (part) => onProgress('comparing', part));
    failpoint('compared');
    const total = counts.images + counts.frames + counts.objects + counts.videos;
    const placement = new RowPlacement(structures, groupCounts(counts));
    const generation = await this.registerGeneration(run);
    failpoint('generation-registered');
    let thumbnailKey: string | null = null;
    let written = 0;
    const placed = this.placed(run, chunks, placement);
    const batches = sortByRank(
      placed,
      total,
      join(this.configuration.dataDir, 'spool', `${run.taskId}-${attemptName(run.context)}`),
    );
    const captions = this.texts.default;
    async function* noting(): AsyncGenerator<MediaRow[]> {
      for await (const batch of batches) {
        if (written === 0) thumbnailKey = batch[0]?.thumbnailKey ?? null;
        written += batch.length;
        onProgress('writing', written / total);
        yield withCaptionEmbeddings(batch, captions);
      }
    }
    const table = await this.tables.create(
      generation,
      { embedding: this.embedding.dimension, captionEmbedding: captions.dimension },
      noting(),
    );
    await writeEdges(this.store, generation, [placement.edges('IMAGES'), placement.edges('OBJECTS')]);
    failpoint('table-written');
    return { ...table, counts, thumbnailKey };
  }

  private get embedding() {
    const { id, output, ladder } = this.models.get(DEFAULT_IMAGE_MODEL).manifest;
    return { modelId: id, dimension: output.dimension, ladder };
  }

  private async compare(
    run: IndexingRun,
    chunks: readonly AnalyzedChunk[],
    counts: DatasetCounts,
    onPart: (part: number) => void,
  ): Promise<Partial<Record<RowGroup, SimilarityStructure>>> {
    const { dimension, ladder } = this.embedding;
    const groups: Partial<Record<RowGroup, EmbeddingGroup>> = {
      IMAGES: new EmbeddingGroup(counts.images + counts.frames, dimension),
      OBJECTS: new EmbeddingGroup(counts.objects, dimension),
    };
    for await (const row of this.rows(run, chunks)) {
      if (row.embedding !== null) groups[groupOf(row.kind)]!.add(row.sha256, row.embedding);
    }
    const structures: Partial<Record<RowGroup, SimilarityStructure>> = {};
    const all = Object.values(groups).reduce((sum, group) => sum + group.capacity, 0);
    let before = 0;
    for (const [name, group] of Object.entries(groups) as [RowGroup, EmbeddingGroup][]) {
      const { capacity: count, vectors, contentGroup } = group;
      if (count === 0) continue;
      const input = { count, dimension, vectors, contentGroup, ladder, threads: this.configuration.workerConcurrency };
      const base = before;
      structures[name] = await computeSimilarityStructure(input, {
        signal: run.context.signal,
        onProgress: (part) => onPart((base + part * count) / all),
      });
      before += count;
    }
    return structures;
  }

  private async *rows(run: IndexingRun, chunks: readonly AnalyzedChunk[]): AsyncGenerator<MediaRow> {
    for (const chunk of chunks) {
      run.context.signal.throwIfAborted();
      if (chunk.images + chunk.frames + chunk.objects + chunk.videos === 0) continue;
      yield* decodeChunk(await buffer(await this.store.get(chunk.storeKey)));
    }
  }

  private async *placed(run: IndexingRun, chunks: readonly AnalyzedChunk[], placement: RowPlacement) {
    for await (const row of this.rows(run, chunks)) yield placement.place(row);
  }

  /** Known to Postgres before its first byte is written, so that a crash leaves no directory that no sweep would find. */
  private async registerGeneration(run: IndexingRun): Promise<string> {
    const id = randomUUID();
    const { modelId, ladder } = this.embedding;
    const clusteringId = randomUUID();
    const textModelId = this.texts.default.id;
    await run.context.commit(() =>
      this.generations.insert({
        id,
        writerTaskId: run.taskId,
        ownerDatasetId: run.datasetId,
        clusteringId,
        modelId,
        textModelId,
        ladder,
      }),
    );
    return id;
  }
}

function sumCounts(chunks: readonly AnalyzedChunk[]): DatasetCounts {
  const sum = (count: (chunk: AnalyzedChunk) => number): number =>
    chunks.reduce((total, chunk) => total + count(chunk), 0);
  return {
    images: sum((chunk) => chunk.images),
    videos: sum((chunk) => chunk.videos),
    objects: sum((chunk) => chunk.objects),
    frames: sum((chunk) => chunk.frames),
  };
}

const groupCounts = (counts: DatasetCounts): Record<RowGroup, number> => ({
  IMAGES: counts.images + counts.frames,
  OBJECTS: counts.objects,
  VIDEOS: counts.videos,
});
