import { Inject, Injectable } from '@nestjs/common';
import { writeEdges } from '../../../common/engine/media-table/edges-file';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { TextEmbeddings } from '../../../common/engine/models/text-embeddings';
import { failpoint } from '../../../common/platform/config/failpoint';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { AppliedModels, DatasetCounts, DatasetPointer, PublishedTable } from '../../datasets';
import { inBatches, RegisterGenerationStep, TableRows, withCaptionEmbeddings } from '../../ingestion/for-operations';
import { AppliedChunkRepository } from '../persistence/applied-chunk.repository';
import type { PictureModelChosen } from './apply-model.step';
import { EnrichedRows, type FoundChunks } from './enriched-rows';
import type { EnrichmentRun } from './enrichment-run';

/** Small, because rows have vectors and texts, so that other requests run between batches. */
const BATCH_ROWS = 1_024;

interface CopiedTable {
  readonly pointer: DatasetPointer;
  readonly table: MediaTable;
  readonly counts: DatasetCounts;
}

/** Writes the rows of a table with what the models found into a new table, in the same order, so that clusters, near duplicates and tags stay. */
@Injectable()
export class WriteCopyStep {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly tables: MediaTableStore,
    private readonly texts: TextEmbeddings,
    private readonly journal: AppliedChunkRepository,
    private readonly registerGeneration: RegisterGenerationStep,
  ) {}

  async write(
    run: EnrichmentRun,
    copied: CopiedTable,
    chosen: readonly PictureModelChosen[],
    onPart: (part: number) => void,
  ): Promise<Pick<PublishedTable, 'generation' | 'version' | 'rows' | 'bytes'>> {
    const { pointer, table } = copied;
    const applied = Object.fromEntries(chosen.map(({ type, id, metadata }) => [type, { id, metadata }]));
    const enrichments: AppliedModels = { ...pointer.enrichments, ...applied };
    const generation = await this.registerGeneration.register(
      { taskId: run.taskId, datasetId: run.targetId, context: run.context },
      { ...pointer, enrichments },
    );
    const rows = this.rows(run, copied, chosen, onPart);
    const written = await this.tables.create(generation, table.dimensions, rows);
    await writeEdges(this.store, written, [], pointer);
    failpoint('table-written');
    return written;
  }

  private async *rows(
    run: EnrichmentRun,
    { pointer, table, counts }: CopiedTable,
    chosen: readonly PictureModelChosen[],
    onPart: (part: number) => void,
  ): AsyncGenerator<MediaRow[]> {
    const found: FoundChunks[] = [];
    for (const { type } of chosen) found.push({ type, chunks: await this.journal.list(run.taskId, type) });
    const rows = new EnrichedRows(new TableRows(table, counts, run.context.signal), this.store, found);
    let written = 0;
    for await (const batch of inBatches(rows.rows(), BATCH_ROWS)) {
      written += batch.length;
      onPart(written / table.rows);
      yield await withCaptionEmbeddings(batch, this.texts, pointer.textModelId);
    }
  }
}
