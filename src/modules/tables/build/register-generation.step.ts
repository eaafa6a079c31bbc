import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/platform/config/failpoint';
import { GenerationRepository, type DatasetPointer } from '../../datasets';
import type { IndexingRun } from '../runs/indexing-run';

/** Registers a generation in Postgres before its table is written, so that sweeps find its directory after a crash. */
@Injectable()
export class RegisterGenerationStep {
  constructor(private readonly generations: GenerationRepository) {}

  /** `of`: the generation whose clustering ids are kept, so that cluster ids stay valid. */
  async register(
    run: Omit<IndexingRun, 'batchId'>,
    of: Pick<DatasetPointer, 'modelId' | 'textModelId' | 'ladder' | 'enrichments'> &
      Partial<Pick<DatasetPointer, 'clusteringId' | 'objectClusteringId'>>,
  ): Promise<string> {
    const id = randomUUID();
    const { clusteringId = randomUUID(), objectClusteringId = null, modelId, textModelId, ladder, enrichments } = of;
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
        enrichments,
      }),
    );
    failpoint('generation-registered');
    return id;
  }
}
