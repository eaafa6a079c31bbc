import { Injectable } from '@nestjs/common';
import { QuarantineRepository, type IndexingRun } from '../../tables';
import { TaskLedger } from '../../tasks';
import { isSync } from './sync-parameters';

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

  /** Of batches before this one. Files that still can't be read were tried again and are in quarantine under its task. */
  async forgetQuarantine({ datasetId, taskId }: IndexingRun): Promise<void> {
    const batches = await this.ids(datasetId);
    await this.quarantine.clearAll([...batches].filter((batch) => batch !== taskId));
  }
}
