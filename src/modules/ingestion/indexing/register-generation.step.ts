import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/platform/config/failpoint';
import { GenerationRepository, type DatasetPointer } from '../../datasets';
import type { IndexingRun } from './indexing-run';

/** Makes a generation known to Postgres before its first byte is written, so that a crash leaves no directory that no sweep would find. */
@Injectable()
export class RegisterGenerationStep {
  constructor(private readonly generations: GenerationRepository) {}

  /** With the clustering of another one where cluster ids are to stay. */
  async register(
    run: IndexingRun,
    of: Pick<DatasetPointer, 'modelId' | 'textModelId' | 'ladder'> & Partial<Pick<DatasetPointer, 'clusteringId'>>,
  ): Promise<string> {
    const id = randomUUID();
    const { clusteringId = randomUUID(), modelId, textModelId, ladder } = of;
    await run.context.commit(() =>
      this.generations.insert({
        id,
        writerTaskId: run.taskId,
        ownerDatasetId: run.datasetId,
        clusteringId,
        modelId,
        textModelId,
        ladder,
      }),
    );
    failpoint('generation-registered');
    return id;
  }
}
