import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { failpoint } from '../../../common/platform/config/failpoint';
import { writeEdges } from '../../../common/engine/media-table/edges-file';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { TableVersion } from '../../../common/engine/media-table/table-version';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { TextEmbeddings } from '../../../common/engine/models/kept-models';
import { findKnownCopies, readKnownItems } from '../../../common/engine/similarity/placing/known-items';
import { placeNewItems } from '../../../common/engine/similarity/placing/place-new-items';
import type { Placement } from '../../../common/engine/similarity/placing/placement';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { GenerationRepository, type PublishedTable } from '../../datasets';
import { groupCounts, groupOf, KINDS_IN, type ComparedGroup, type RowGroup } from '../build/domain/final-order';
import { AddedPlacement } from './added-placement';
import type { BuildPhase } from '../build/build-table.step';
import { withCaptionEmbeddings } from '../build/caption-embeddings';
import { EmbeddingGroup } from '../build/embedding-groups';
import type { DatasetUpdate } from './dataset-update';
import { inBatches } from '../rows/in-batches';
import type { IndexingRun } from '../runs/indexing-run';
import { RegisterGenerationStep } from '../build/register-generation.step';
import { sumOfCounts, totalOf, type RowSource } from '../rows/row-source';
import { modelsOf, type TableModels } from '../build/table-models';
import { withInformativePairs } from './informative-pairs';

const BATCH_ROWS = 1_024;

/** Appends rows to a table. Each is compared with all existing rows, which stay unchanged. */
@Injectable()
export class AppendRowsStep {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly texts: TextEmbeddings,
    private readonly tables: MediaTableStore,
    private readonly generations: GenerationRepository,
    private readonly registerGeneration: RegisterGenerationStep,
  ) {}

  async append(
    run: IndexingRun,
    update: DatasetUpdate,
    added: RowSource,
    onProgress: (phase: BuildPhase, part: number) => void,
  ): Promise<PublishedTable> {
    const { dataset, pointer, table } = update;
    const placements = await this.compare(run, update, added, (part) => onProgress('comparing', part));
    failpoint('compared');
    const placement = new AddedPlacement(placements, table.rows);
    const head = await this.writableHead(run, update);
    const rows = this.placed(added, placement, modelsOf(pointer, table), (part) => onProgress('writing', part));
    const written = await this.tables.append(head, rows);
    failpoint('rows-appended');
    await writeEdges(this.store, written, placement.edges(), pointer);
    failpoint('table-written');
    return { ...written, counts: sumOfCounts(dataset.counts, added.counts), thumbnailKey: dataset.thumbnailKey };
  }

  private async compare(
    run: IndexingRun,
    { pointer, table }: DatasetUpdate,
    added: RowSource,
    onPart: (part: number) => void,
  ): Promise<Map<RowGroup, Placement>> {
    const { dimensions, ladder } = modelsOf(pointer, table);
    const { embedding: dimension } = dimensions;
    const capacities = groupCounts(added.counts);
    const groups = new Map<ComparedGroup, EmbeddingGroup>();
    for (const name of Object.keys(KINDS_IN) as ComparedGroup[])
      if (capacities[name] > 0) groups.set(name, new EmbeddingGroup(capacities[name], dimension));
    for await (const row of added.comparedRows()) groups.get(groupOf(row.kind) as ComparedGroup)?.add(row);
    const placements = new Map<RowGroup, Placement>();
    for (const [name, group] of groups) {
      const { capacity: count, vectors } = group;
      const { contentGroup, videoOf } = group.facts;
      const known = await readKnownItems(table, KINDS_IN[name]);
      const copies = await findKnownCopies(table, KINDS_IN[name], group.contentHashes());
      const knownCopy = contentGroup.map((content) => copies[content]!);
      const base = placements.size;
      const placement = await placeNewItems(
        {
          known,
          added: { count, vectors, contentGroup, knownCopy },
          ladder,
          threads: this.configuration.workerConcurrency,
        },
        { signal: run.context.signal, onProgress: (part) => onPart((base + part) / groups.size) },
      );
      placements.set(name, await withInformativePairs(placement, videoOf, table));
    }
    return placements;
  }

  /** The version to append to: the dataset's own, or a copy if the generation belongs to another dataset. */
  private async writableHead(run: IndexingRun, { dataset, pointer }: DatasetUpdate): Promise<TableVersion> {
    if ((await this.generations.ownerOf(pointer.generation)) === dataset.id) return pointer;
    const copy = await this.tables.fork(pointer, await this.registerGeneration.register(run, pointer));
    failpoint('generation-copied');
    return copy;
  }

  private async *placed(
    added: RowSource,
    placement: AddedPlacement,
    models: TableModels,
    onPart: (part: number) => void,
  ): AsyncGenerator<MediaRow[]> {
    const total = totalOf(added.counts);
    let written = 0;
    for await (const batch of inBatches(added.rows(), BATCH_ROWS)) {
      written += batch.length;
      onPart(written / total);
      yield await withCaptionEmbeddings(
        batch.map((row) => placement.place(row)),
        this.texts,
        models,
      );
    }
  }
}
