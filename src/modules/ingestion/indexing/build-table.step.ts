import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { Turns } from '../../../common/platform/concurrency/turns';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { failpoint } from '../../../common/platform/config/failpoint';
import { writeEdges } from '../../../common/engine/media-table/edges-file';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { MediaTableStore, type WrittenTable } from '../../../common/engine/media-table/media-table-store';
import { TextEmbeddings } from '../../../common/engine/models/text-embeddings';
import { computeSimilarityStructure } from '../../../common/engine/similarity/compute-similarity-structure';
import type { SimilarityStructure } from '../../../common/engine/similarity/similarity-structure';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { type PublishedTable } from '../../datasets';
import { informativePairs } from './domain/frame-pairs';
import { groupCounts, groupOf, type RowGroup } from './domain/final-order';
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

  async build(run: IndexingRun, source: RowSource, models: TableModels, onProgress: OnProgress): Promise<BuiltTable> {
    const { counts } = source;
    const compare = (): ReturnType<BuildTableStep['compare']> =>
      this.compare(run, source, models, (part) => onProgress('comparing', part));
    const structures = await (totalOf(counts) > LARGE_ROWS ? this.largeOnes.run(true, compare) : compare());
    failpoint('compared');
    const placement = new RowPlacement(structures, groupCounts(counts));
    const generation = await this.registerGeneration.register(run, models);
    const ordinalOf = new Int32Array(totalOf(counts));
    const { table, thumbnailKey } = await this.write(run, generation, models, {
      rows: placed(source, placement, ordinalOf),
      total: ordinalOf.length,
      onPart: (part) => onProgress('writing', part),
    });
    await writeEdges(this.store, table, [placement.edges('IMAGES'), placement.edges('OBJECTS')]);
    failpoint('table-written');
    return { ...table, counts, thumbnailKey, ordinalOf };
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
    source: RowSource,
    { dimensions: { embedding: dimension }, ladder }: TableModels,
    onPart: (part: number) => void,
  ): Promise<Partial<Record<RowGroup, SimilarityStructure>>> {
    const capacities = groupCounts(source.counts);
    const groups: Partial<Record<RowGroup, EmbeddingGroup>> = {
      IMAGES: new EmbeddingGroup(capacities.IMAGES, dimension),
      OBJECTS: new EmbeddingGroup(capacities.OBJECTS, dimension),
    };
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
