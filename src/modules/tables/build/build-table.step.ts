import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { failpoint } from '../../../common/platform/config/failpoint';
import { readEdges, writeEdges, type NearPairs } from '../../../common/engine/media-table/edges-file';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { MediaTableStore, type WrittenTable } from '../../../common/engine/media-table/media-table-store';
import { TextEmbeddings } from '../../../common/engine/models/kept-models';
import { jobStep } from '../../../common/platform/jobs/job-step';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { UnfinishedFiles } from '../../../common/platform/storage/folder/unfinished-files';
import { type DatasetCounts, type DatasetPointer, type PublishedTable, GenerationRepository } from '../../datasets';
import { CompareRowsStep, type Comparisons } from './compare-rows.step';
import { groupCounts } from './domain/final-order';
import { withCaptionEmbeddings, type TableModels } from './table-models';
import { RowPlacement, type PlacedRow } from './embedding-groups';
import type { IndexingRun, BuildPhase } from '../runs/task-runner';
import { totalOf, type RowSource } from '../rows/row-source';
import { sortByRank } from '../rows/row-sorter';
import { inSlices } from '../../../common/platform/concurrency/in-slices';

/** Registers a generation in Postgres before its table is written, so that sweeps find its directory after a crash. */
@Injectable()
export class RegisterGenerationStep {
  constructor(private readonly generations: GenerationRepository) {}

  /** `of` is the generation whose clustering id is kept, so that cluster ids stay valid. */
  async register(
    run: Omit<IndexingRun, 'batchId'>,
    of: Pick<DatasetPointer, 'modelId' | 'textModelId' | 'ladder' | 'nearDuplicates' | 'enrichments'> &
      Partial<Pick<DatasetPointer, 'clusteringId' | 'objectClusteringId'>>,
  ): Promise<string> {
    const id = randomUUID();
    const { clusteringId = randomUUID(), objectClusteringId = null } = of;
    const { modelId, textModelId, ladder, nearDuplicates, enrichments } = of;
    await run.context.commit(() =>
      this.generations.insert({
        id,
        writerTaskId: run.taskId,
        ownerDatasetId: run.datasetId,
        clusteringId,
        objectClusteringId,
        modelId,
        textModelId,
        ladder,
        nearDuplicates,
        enrichments,
      }),
    );
    failpoint('generation-registered');
    return id;
  }
}

type OnProgress = (phase: BuildPhase, part: number) => void;

export interface BuiltTable extends PublishedTable {
  /** The ordinal of each row, by its index in the source. */
  readonly ordinalOf: Int32Array;
}

/** A table whose images keep their order, clusters and near duplicates. */
export interface KeptImages {
  readonly pointer: DatasetPointer;
  /** For each row of the table, its index in the source; -1 if the source does not contain it. */
  readonly placeOf: Int32Array;
  /** Whether labels of images have changed, so that label issues must be computed again. */
  readonly relabelled: boolean;
}

/** Writes rows to a new table after comparing them and putting them into their final order. */
@Injectable()
export class BuildTableStep {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly texts: TextEmbeddings,
    private readonly tables: MediaTableStore,
    private readonly registerGeneration: RegisterGenerationStep,
    private readonly compareRows: CompareRowsStep,
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
    const compared = await jobStep('compare-rows', () =>
      this.compareRows.compare(run, source, models, comparisonsOf(kept), (part) => onProgress('comparing', part)),
    );
    failpoint('compared');
    const placement = new RowPlacement(compared, groupCounts(counts));
    const generation = await this.registerGeneration.register(run, { ...models, ...clusteringOf(kept) });
    const ordinalOf = new Int32Array(totalOf(counts));
    const { table, thumbnailKey } = await jobStep('write-table', () =>
      this.write(generation, models, {
        rows: placed(source, placement, ordinalOf),
        total: ordinalOf.length,
        onPart: (part) => onProgress('writing', part),
      }),
    );
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
    // Images are the first rows of a table.
    const images = groupCounts(counts).IMAGES;
    const newOrdinals = placeOf.map((place) => {
      const ordinal = place < 0 ? -1 : ordinalOf[place]!;
      return ordinal < images ? ordinal : -1;
    });
    return carriedEdges(await readEdges(this.store, pointer), newOrdinals);
  }

  private async write(
    generation: string,
    models: TableModels,
    { rows, total, onPart }: { rows: AsyncIterable<PlacedRow>; total: number; onPart: (part: number) => void },
  ): Promise<{ table: WrittenTable; thumbnailKey: string | null }> {
    // Files of a killed process may be as large as its table.
    const spools = new UnfinishedFiles(join(this.configuration.dataDir, 'spool'));
    await spools.sweep();
    const spool = spools.newPath();
    const { texts } = this;
    let thumbnailKey: string | null = null;
    let written = 0;
    async function* noting(): AsyncGenerator<MediaRow[]> {
      for await (const batch of sortByRank({ rows, count: total, dimensions: models.dimensions }, spool)) {
        if (written === 0) thumbnailKey = batch[0]?.thumbnailKey ?? null;
        written += batch.length;
        onPart(written / total);
        yield withCaptionEmbeddings(batch, texts, models);
      }
    }
    const table = await this.tables.create(generation, models.dimensions, noting());
    return { table, thumbnailKey };
  }
}

/** Objects are clustered again, so ids of their earlier clusters become invalid. */
const clusteringOf = (
  kept: KeptImages | undefined,
): Partial<Pick<DatasetPointer, 'clusteringId' | 'objectClusteringId'>> =>
  kept === undefined ? {} : { clusteringId: kept.pointer.clusteringId, objectClusteringId: randomUUID() };

function comparisonsOf(kept: KeptImages | undefined): Comparisons {
  if (kept === undefined) return { IMAGES: 'all', OBJECTS: 'all' };
  return kept.relabelled ? { IMAGES: 'labels', OBJECTS: 'all' } : { OBJECTS: 'all' };
}

async function* placed(source: RowSource, placement: RowPlacement, ordinalOf: Int32Array): AsyncGenerator<PlacedRow> {
  let place = 0;
  for await (const row of source.rows()) {
    const ranked = placement.place(row);
    ordinalOf[place++] = ranked.rank;
    yield ranked;
  }
}

/** Converts the pairs of a table to new ordinals; -1 marks a removed row. */
export async function carriedEdges({ first, second, cosine }: NearPairs, ordinalOf: Int32Array): Promise<NearPairs> {
  const carried = {
    first: new Int32Array(first.length),
    second: new Int32Array(first.length),
    cosine: new Float32Array(first.length),
  };
  let kept = 0;
  await inSlices(first.length, (start, end) => {
    for (let at = start; at < end; at++) {
      const [one, other] = [ordinalOf[first[at]!]!, ordinalOf[second[at]!]!];
      if (one < 0 || other < 0) continue;
      carried.first[kept] = one;
      carried.second[kept] = other;
      carried.cosine[kept++] = cosine[at]!;
    }
  });
  return {
    first: carried.first.slice(0, kept),
    second: carried.second.slice(0, kept),
    cosine: carried.cosine.slice(0, kept),
  };
}
