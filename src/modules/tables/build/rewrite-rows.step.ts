import { Inject, Injectable } from '@nestjs/common';
import { writeEdges } from '../../../common/engine/media-table/edges-file';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { TextEmbeddings } from '../../../common/engine/models/kept-models';
import { failpoint } from '../../../common/platform/config/failpoint';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { DatasetPointer, PublishedTable } from '../../datasets';
import { RegisterGenerationStep } from './build-table.step';
import { withCaptionEmbeddings, type TableModels } from './table-models';
import { CompareRowsStep } from './compare-rows.step';
import { inBatches, totalOf, type RowSource } from '../rows/row-source';
import type { IndexingRun, BuildPhase } from '../runs/task-runner';

/** Small, because rows have vectors and texts, so that other requests run between batches. */
const BATCH_ROWS = 1_024;

/** The rows of a published table in its order, with changed values. */
export interface RewrittenRows {
  readonly pointer: DatasetPointer;
  readonly thumbnailKey: string | null;
  readonly rows: RowSource;
  readonly models: TableModels;
  /** Whether labels of images have changed, so that label issues must be computed again. */
  readonly relabelled: boolean;
}

/** Writes the rows of a table with changed values into a new table. Their order, clusters, near duplicates and tags are kept. */
@Injectable()
export class RewriteRowsStep {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly tables: MediaTableStore,
    private readonly texts: TextEmbeddings,
    private readonly registerGeneration: RegisterGenerationStep,
    private readonly compareRows: CompareRowsStep,
  ) {}

  async rewrite(
    run: IndexingRun,
    { pointer, thumbnailKey, rows, models, relabelled }: RewrittenRows,
    onProgress: (phase: BuildPhase, part: number) => void,
  ): Promise<PublishedTable> {
    const { clusteringId, objectClusteringId } = pointer;
    const judged = relabelled
      ? await this.compareRows.judgeLabels(run, rows, models, (part) => onProgress('comparing', part))
      : undefined;
    const generation = await this.registerGeneration.register(run, { ...models, clusteringId, objectClusteringId });
    const written = await this.tables.create(
      generation,
      models.dimensions,
      this.batches(rows, models, judged, (part) => onProgress('writing', part)),
    );
    await writeEdges(this.store, written, [], pointer);
    failpoint('table-written');
    return { ...written, counts: rows.counts, thumbnailKey };
  }

  private async *batches(
    rows: RowSource,
    models: TableModels,
    judged: ((row: MediaRow) => MediaRow) | undefined,
    onPart: (part: number) => void,
  ): AsyncGenerator<MediaRow[]> {
    const total = totalOf(rows.counts);
    let written = 0;
    for await (const batch of inBatches(rows.rows(), BATCH_ROWS)) {
      written += batch.length;
      onPart(written / total);
      const rowsNow = judged === undefined ? batch : batch.map(judged);
      yield await withCaptionEmbeddings(rowsNow, this.texts, models);
    }
  }
}
