import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { QuarantineRepository, type IndexingRun, updateParameters } from '../../tables';
import { TaskLedger } from '../../tasks';
import { BadRequestError } from '../../../common/platform/errors/domain-error';

/** Parameters of the task. */
export const syncParameters = updateParameters.extend({
  source: z.object({ kind: z.literal('sync'), prune: z.boolean() }),
});
export type SyncParameters = z.infer<typeof syncParameters>;

const isSync = (parameters: object): boolean => syncParameters.safeParse(parameters).success;

export class NoSourceToSyncError extends BadRequestError {
  constructor(datasetId: string) {
    super(`Dataset ${datasetId} was made by upload, so it has no source to sync with`);
  }
}

/** The batches read from a dataset's own source, by its creation and by synchronisations. */
@Injectable()
export class OwnBatches {
  constructor(
    private readonly tasks: TaskLedger,
    private readonly quarantine: QuarantineRepository,
  ) {}

  /** Each batch has the id of its task. A clone doesn't know the batches of the original. */
  async ids(datasetId: string): Promise<Set<string>> {
    const tasks = await this.tasks.listOf(datasetId, ['DATASET_CREATION', 'MEDIA_ADDITION']);
    const own = tasks.filter(({ type, parameters }) => type === 'DATASET_CREATION' || isSync(parameters));
    return new Set(own.map(({ id }) => id));
  }

  /** Forgets the quarantine of earlier batches. Files that are still unreadable were tried again and are in quarantine under this task. */
  async forgetQuarantine({ datasetId, taskId }: IndexingRun): Promise<void> {
    const batches = await this.ids(datasetId);
    await this.quarantine.clearAll([...batches].filter((batch) => batch !== taskId));
  }
}
