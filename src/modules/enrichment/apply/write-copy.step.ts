import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { Dimensions } from '../../../common/engine/media-table/column-codec';
import { ModelRegistry } from '../../../common/engine/models/model-registry';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { failpoint } from '../../../common/platform/config/failpoint';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { PublishedTable } from '../../datasets';
import {
  type BuildPhase,
  BuildTableStep,
  type IndexingRun,
  modelsOf,
  RewriteRowsStep,
  type TableModels,
  TableRows,
} from '../../tables';
import { CarriedTags } from '../../versions';
import type { AppliedType } from '../domain/findings';
import { AppliedChunkRepository } from '../persistence/applied-chunk.repository';
import type { AppliedModelChosen } from './apply-model.step';
import { placesOf, type BaseTable } from './base-tables';
import { EnrichedRows, type FoundChunks } from './enriched-rows';
import type { EnrichmentRun } from './findings-file';

type OnProgress = (phase: BuildPhase, part: number) => void;

/** Writes the rows of a table with the findings of models into a new table. */
@Injectable()
export class WriteCopyStep {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly models: ModelRegistry,
    private readonly journal: AppliedChunkRepository,
    private readonly buildTable: BuildTableStep,
    private readonly rewriteRows: RewriteRowsStep,
    private readonly tags: CarriedTags,
    @Inject(CONFIGURATION) private readonly configuration: Pick<Configuration, 'dataDir'>,
  ) {}

  async write(
    run: EnrichmentRun,
    base: BaseTable,
    chosen: readonly AppliedModelChosen[],
    onProgress: OnProgress,
  ): Promise<PublishedTable> {
    const { taskId, targetId, context } = run;
    const { pointer, table, counts, filter, objectOrder } = base;
    const found: FoundChunks[] = [];
    for (const { type, toFoundOnly } of chosen)
      found.push({ type, toFoundOnly, chunks: await this.journal.list(taskId, type) });
    const source = new TableRows(table, counts, context.signal, filter);
    const ordered = objectOrder && { order: objectOrder, folder: join(this.configuration.dataDir, 'spool') };
    const rows = new EnrichedRows(source, this.store, found, ordered);
    const applied = Object.fromEntries(chosen.map(({ type, id, metadata }) => [type, { id, metadata }]));
    const models = {
      ...modelsOf(pointer, table),
      dimensions: this.dimensionsWith(table.dimensions, chosen),
      enrichments: { ...pointer.enrichments, ...applied },
    };
    const indexing: IndexingRun = { taskId, context, datasetId: targetId, batchId: taskId };
    const isApplied = (wanted: AppliedType): boolean => chosen.some(({ type }) => type === wanted);
    const written = { base, rows, models, relabelled: isApplied('IMAGE_TAGGING') };
    const { thumbnailKey } = base;
    try {
      if (isApplied('IMAGE_ENCODING')) return await this.comparedAnew(indexing, written, onProgress);
      if (isApplied('OBJECT_DETECTION')) return await this.withObjects(indexing, written, onProgress);
      return await this.rewriteRows.rewrite(indexing, { ...written, pointer, thumbnailKey }, onProgress);
    } finally {
      await rows.close();
    }
  }

  /** By the vectors of another model, which brings thresholds of its own; tags follow their rows. */
  private async comparedAnew(
    run: IndexingRun,
    { base: { pointer }, rows, models }: Written,
    onProgress: OnProgress,
  ): Promise<PublishedTable> {
    const modelId = models.enrichments.IMAGE_ENCODING!.id;
    const { outputs, calibration } = this.models.get('IMAGE_ENCODING', modelId).manifest;
    const dimensions = { ...models.dimensions, embedding: outputs.dimension };
    const encoded = { ...models, ...calibration, modelId, dimensions };
    const built = await this.buildTable.build(run, rows, encoded, onProgress);
    const tagsFile = await this.tags.rewrite(pointer.tagsFile, built.ordinalOf);
    failpoint('tags-carried');
    return { ...built, tagsFile };
  }

  /** Objects are compared and clustered again. Images keep their order and clusters, and tags follow their rows. */
  private async withObjects(
    run: IndexingRun,
    { base, rows, models, relabelled }: Written,
    onProgress: OnProgress,
  ): Promise<PublishedTable> {
    const { pointer } = base;
    const placeOf = await placesOf(base);
    const built = await this.buildTable.build(run, rows, models, onProgress, { pointer, placeOf, relabelled });
    const newOrdinals = placeOf.map((place) => (place < 0 ? -1 : built.ordinalOf[place]!));
    const tagsFile = await this.tags.rewrite(pointer.tagsFile, newOrdinals);
    failpoint('tags-carried');
    return { ...built, tagsFile };
  }

  private dimensionsWith(dimensions: Dimensions, chosen: readonly AppliedModelChosen[]): Dimensions {
    const encoder = chosen.find(({ type }) => type === 'MULTIMODEL_IMAGE_ENCODING');
    const pictures = encoder && this.models.get('MULTIMODEL_IMAGE_ENCODING', encoder.id).manifest.outputs.dimension;
    const hasCaptions = chosen.some(({ type }) => type === 'CAPTION_IMAGES' || type === 'CAPTION_OBJECTS');
    return {
      ...dimensions,
      ...(hasCaptions && { generatedCaptionEmbedding: dimensions.captionEmbedding }),
      ...(pictures !== undefined && { multimodalEmbedding: pictures }),
    };
  }
}

interface Written {
  readonly base: BaseTable;
  readonly rows: EnrichedRows;
  readonly models: TableModels;
  /** Whether labels of images have changed. */
  readonly relabelled: boolean;
}
