import { Inject, Injectable } from '@nestjs/common';
import { ENRICHMENT_TYPES } from '../../../common/engine/models/model-manifest';
import { ModelRegistry } from '../../../common/engine/models/model-registry';
import { jobStep } from '../../../common/platform/jobs/job-step';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { DatasetPointer } from '../../datasets';
import type { BatchEnrichment, EnrichedBatch, IndexingRun, RowSource } from '../../tables';
import { isStoredType } from '../domain/findings';
import { AppliedChunkRepository } from '../persistence/applied-chunk.repository';
import { ApplyModelStep, type AppliedModelChosen } from './apply-model.step';
import { EnrichedRows, type FoundChunks } from './enriched-rows';
import { picturesOfRows } from './seen-pictures';

/** Applies the models of a dataset to media that are added to it. */
@Injectable()
export class EnrichBatch implements BatchEnrichment {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly registry: ModelRegistry,
    private readonly journal: AppliedChunkRepository,
    private readonly applyModel: ApplyModelStep,
  ) {}

  async enrich(
    run: IndexingRun,
    { enrichments, modelId: imageModel }: DatasetPointer,
    rows: RowSource,
    onPart: (modelId: string, part: number) => void,
  ): Promise<EnrichedBatch> {
    // Captions of objects come after the objects in this order.
    const applied = ENRICHMENT_TYPES.flatMap((type): AppliedModelChosen[] => {
      const model = enrichments[type];
      // The vectors by which pictures are compared are there already.
      return model !== undefined && isStoredType(type) && type !== 'IMAGE_ENCODING' ? [{ type, ...model }] : [];
    });
    if (applied.length === 0) return { rows, warnings: [] };
    await this.registry.refresh();
    const usable = applied.filter(({ id }) => this.registry.has(id));
    const target = { ...run, targetId: run.datasetId, isFirst: false };
    const found: FoundChunks[] = [];
    const enriched = (): RowSource => new EnrichedRows(rows, this.store, found);
    for (const [at, model] of usable.entries()) {
      await jobStep('apply-model', () =>
        this.applyModel.run(target, picturesOfRows(enriched(), imageModel), model, (part) =>
          onPart(model.id, (at + part) / usable.length),
        ),
      );
      found.push({ type: model.type, chunks: await this.journal.list(run.taskId, model.type) });
    }
    return {
      rows: enriched(),
      warnings: applied.filter((model) => !usable.includes(model)).map(missingWarning),
    };
  }

  async forget(taskId: string): Promise<void> {
    await this.journal.clear(taskId);
  }
}

const missingWarning = ({ type, id }: AppliedModelChosen): string =>
  `The model ${id} is no longer there, so the new media have no results of ${type}. Restore its folder in MODELS_DIR and apply it again.`;
