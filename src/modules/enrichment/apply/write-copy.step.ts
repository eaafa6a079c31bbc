import { Inject, Injectable } from '@nestjs/common';
import { writeEdges } from '../../../common/engine/media-table/edges-file';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import type { PictureModelType } from '../../../common/engine/models/picture-model';
import { TextEmbeddings } from '../../../common/engine/models/text-embeddings';
import { failpoint } from '../../../common/platform/config/failpoint';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { AppliedModels, DatasetPointer, PublishedTable } from '../../datasets';
import { RegisterGenerationStep, withCaptionEmbeddings } from '../../ingestion/for-operations';
import type { Finding } from '../domain/findings';
import { withFinding } from '../domain/with-finding';
import { AppliedChunkRepository } from '../persistence/applied-chunk.repository';
import type { PictureModelChosen } from './apply-model.step';
import type { EnrichmentRun } from './enrichment-run';
import { readFindings } from './findings-file';

/** Small, because rows have vectors and texts, so that other requests run between batches. */
const BATCH_ROWS = 1_024;

interface CopiedTable {
  readonly pointer: DatasetPointer;
  readonly table: MediaTable;
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
    { pointer, table }: CopiedTable,
    chosen: readonly PictureModelChosen[],
    onPart: (part: number) => void,
  ): Promise<Pick<PublishedTable, 'generation' | 'version' | 'rows' | 'bytes'>> {
    const applied = Object.fromEntries(chosen.map(({ type, id, metadata }) => [type, { id, metadata }]));
    const enrichments: AppliedModels = { ...pointer.enrichments, ...applied };
    const generation = await this.registerGeneration.register(
      { taskId: run.taskId, datasetId: run.targetId, context: run.context },
      { ...pointer, enrichments },
    );
    const rows = this.rows(run, { pointer, table }, chosen, onPart);
    const written = await this.tables.create(generation, table.dimensions, rows);
    await writeEdges(this.store, written, [], pointer);
    failpoint('table-written');
    return written;
  }

  private async *rows(
    run: EnrichmentRun,
    { pointer, table }: CopiedTable,
    chosen: readonly PictureModelChosen[],
    onPart: (part: number) => void,
  ): AsyncGenerator<MediaRow[]> {
    const sources: FindingsInOrder[] = [];
    for (const { type } of chosen)
      sources.push(new FindingsInOrder(type, readFindings(this.store, await this.journal.list(run.taskId, type))));
    let written = 0;
    for await (const batch of table.readRows(undefined, { batchRows: BATCH_ROWS })) {
      run.context.signal.throwIfAborted();
      const enriched: MediaRow[] = [];
      for (const row of batch) {
        let now = row;
        for (const source of sources) now = withFinding(now, source.type, await source.of(row.id));
        enriched.push(now);
      }
      written += batch.length;
      onPart(written / table.rows);
      yield await withCaptionEmbeddings(enriched, this.texts, pointer.textModelId);
    }
    for (const source of sources) await source.assertRead();
  }
}

/** The findings of a model, read beside the rows of the table that they are about. */
class FindingsInOrder {
  private next: Promise<IteratorResult<Finding>> | undefined;

  constructor(
    readonly type: PictureModelType,
    private readonly findings: AsyncGenerator<Finding>,
  ) {}

  /** Undefined for a row that the model did not look at. */
  async of(rowId: string): Promise<Finding | undefined> {
    this.next ??= this.findings.next();
    const next = await this.next;
    if (next.done === true || next.value.id !== rowId) return undefined;
    this.next = undefined;
    return next.value;
  }

  async assertRead(): Promise<void> {
    const { done } = await (this.next ??= this.findings.next());
    if (done !== true) throw new Error(`The findings of ${this.type} are not in the order of the table`);
  }
}
