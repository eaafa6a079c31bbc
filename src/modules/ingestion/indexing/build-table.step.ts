import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { Turns } from '../../../common/platform/concurrency/turns';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { failpoint } from '../../../common/platform/config/failpoint';
import { readEdges, writeEdges, type NearPairs } from '../../../common/engine/media-table/edges-file';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { MediaTableStore, type WrittenTable } from '../../../common/engine/media-table/media-table-store';
import { TextEmbeddings } from '../../../common/engine/models/text-embeddings';
import { computeSimilarityStructure } from '../../../common/engine/similarity/compute-similarity-structure';
import type { SimilarityStructure } from '../../../common/engine/similarity/similarity-structure';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { DatasetCounts, DatasetPointer, PublishedTable } from '../../datasets';
import { carriedEdges } from './carried-edges';
import { informativePairs } from './domain/frame-pairs';
import { groupCounts, groupOf, type ComparedGroup, type RowGroup } from './domain/final-order';
import { withCaptionEmbeddings } from './caption-embeddings';
import { EmbeddingGroup, RowPlacement, type PlacedRow } from './embedding-groups';
import { attemptName } from './file-list';
import type { IndexingRun } from './indexing-run';
import { totalOf, type RowSource } from './row-source';
import { RegisterGenerationStep } from './register-generation.step';
import { sortByRank } from './row-sorter';
import type { TableModels } from './table-models';

/** Larger tables are built one at a time, because their vectors take much memory. */
const LARGE_ROWS = 50_000;

export type BuildPhase = 'comparing' | 'writing';
type OnProgress = (phase: BuildPhase, part: number) => void;

export interface BuiltTable extends PublishedTable {
  /** The ordinal of each row, by its index in the source. */
  readonly ordinalOf: Int32Array;
}

/** A table whose images stay as they are: their order, clusters and near duplicates. */
export interface KeptImages {
  readonly pointer: DatasetPointer;
  /** For each row of it the index in the source; -1 if the source does not have it. */
  readonly placeOf: Int32Array;
}

/** Writes rows to a new table, compared with each other and in their final order. */
@Injectable()
export class BuildTableStep {
  private readonly largeOnes = new Turns(1);

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly texts: TextEmbeddings,
    private readonly tables: MediaTableStore,
    private readonly registerGeneration: RegisterGenerationStep,
  ) {}

  /** With `kept`, only objects are compared; the images of the source must have the order of that table. */
  async build(
    run: IndexingRun,
    source: RowSource,
    models: TableModels,
    onProgress: OnProgress,
    kept?: KeptImages,
  ): Promise<BuiltTable> {
    const { counts } = source;
    const compared: readonly ComparedGroup[] = kept === undefined ? ['IMAGES', 'OBJECTS'] : ['OBJECTS'];
    const compare = (): ReturnType<BuildTableStep['compare']> =>
      this.compare(run, { source, compared }, models, (part) => onProgress('comparing', part));
    const structures = await (totalOf(counts) > LARGE_ROWS ? this.largeOnes.run(true, compare) : compare());
    failpoint('compared');
    const placement = new RowPlacement(structures, groupCounts(counts));
    const clustering = kept === undefined ? {} : { clusteringId: kept.pointer.clusteringId };
    const generation = await this.registerGeneration.register(run, { ...models, ...clustering });
    const ordinalOf = new Int32Array(totalOf(counts));
    const { table, thumbnailKey } = await this.write(run, generation, models, {
      rows: placed(source, placement, ordinalOf),
      total: ordinalOf.length,
      onPart: (part) => onProgress('writing', part),
    });
    const ofImages = kept === undefined ? placement.edges('IMAGES') : await this.keptEdges(kept, counts, ordinalOf);
    await writeEdges(this.store, table, [ofImages, placement.edges('OBJECTS')]);
    failpoint('table-written');
    return { ...table, counts, thumbnailKey, ordinalOf };
  }

  private async keptEdges(
    { pointer, placeOf }: KeptImages,
    counts: DatasetCounts,
    ordinalOf: Int32Array,
  ): Promise<NearPairs> {
    // Images come first in a table.
    const images = groupCounts(counts).IMAGES;
    const newOrdinals = placeOf.map((place) => {
      const ordinal = place < 0 ? -1 : ordinalOf[place]!;
      return ordinal < images ? ordinal : -1;
    });
    return carriedEdges(await readEdges(this.store, pointer), newOrdinals);
  }

  private async write(
    run: IndexingRun,
    generation: string,
    models: TableModels,
    { rows, total, onPart }: { rows: AsyncIterable<PlacedRow>; total: number; onPart: (part: number) => void },
  ): Promise<{ table: WrittenTable; thumbnailKey: string | null }> {
    const spool = join(this.configuration.dataDir, 'spool', `${run.taskId}-${attemptName(run.context)}`);
    const { texts } = this;
    let thumbnailKey: string | null = null;
    let written = 0;
    async function* noting(): AsyncGenerator<MediaRow[]> {
      for await (const batch of sortByRank(rows, total, spool)) {
        if (written === 0) thumbnailKey = batch[0]?.thumbnailKey ?? null;
        written += batch.length;
        onPart(written / total);
        yield withCaptionEmbeddings(batch, texts, models.textModelId);
      }
    }
    const table = await this.tables.create(generation, models.dimensions, noting());
    return { table, thumbnailKey };
  }

  private async compare(
    run: IndexingRun,
    { source, compared }: { source: RowSource; compared: readonly ComparedGroup[] },
    { dimensions: { embedding: dimension }, ladder }: TableModels,
    onPart: (part: number) => void,
  ): Promise<Partial<Record<RowGroup, SimilarityStructure>>> {
    const capacities = groupCounts(source.counts);
    const groups: Partial<Record<RowGroup, EmbeddingGroup>> = {};
    for (const name of compared) groups[name] = new EmbeddingGroup(capacities[name], dimension);
    for await (const row of source.comparedRows()) {
      groups[groupOf(row.kind)]?.add(row);
    }
    const structures: Partial<Record<RowGroup, SimilarityStructure>> = {};
    const all = Object.values(groups).reduce((sum, group) => sum + group.capacity, 0);
    let before = 0;
    for (const [name, group] of Object.entries(groups) as [RowGroup, EmbeddingGroup][]) {
      const { capacity: count, vectors, contentGroup } = group;
      if (count === 0) continue;
      const input = { count, dimension, vectors, contentGroup, ladder, threads: this.configuration.workerConcurrency };
      const base = before;
      const structure = await computeSimilarityStructure(input, {
        signal: run.context.signal,
        onProgress: (part) => onPart((base + part * count) / all),
      });
      structures[name] = { ...structure, edges: informativePairs(structure.edges, group.videoOf) };
      before += count;
    }
    return structures;
  }
}

async function* placed(source: RowSource, placement: RowPlacement, ordinalOf: Int32Array): AsyncGenerator<PlacedRow> {
  let place = 0;
  for await (const row of source.rows()) {
    const ranked = placement.place(row);
    ordinalOf[place++] = ranked.rank;
    yield ranked;
  }
}
