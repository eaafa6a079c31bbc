import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { JobHandler, type JobRunner } from '../../../common/platform/jobs/job-handler';
import { JobQueue } from '../../../common/platform/jobs/job-queue';
import { defineJob } from '../../../common/platform/jobs/job-type';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { DeleteDatasetUseCase } from '../../datasets';
import { exportFolder } from '../domain/export';
import { ExportRepository } from '../persistence/export.repository';

interface DroppedArchives {
  readonly taskIds: readonly string[];
}

export const DROP_ARCHIVES = defineJob<DroppedArchives>('drop-archives');

/** Deletes the archives of a dataset when it is deleted, so that their signed URLs lead nowhere. */
@JobHandler(DROP_ARCHIVES)
@Injectable()
export class DropArchivesJob implements JobRunner<DroppedArchives>, OnModuleInit {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly exports: ExportRepository,
    private readonly queue: JobQueue,
    private readonly deletion: DeleteDatasetUseCase,
  ) {}

  onModuleInit(): void {
    this.deletion.alongWith(async (datasetId) => {
      const taskIds = await this.exports.withArchive(datasetId);
      if (taskIds.length > 0) await this.queue.enqueue(DROP_ARCHIVES, { taskIds });
    });
  }

  async run({ taskIds }: DroppedArchives): Promise<void> {
    for (const id of taskIds) await this.store.deletePrefix(exportFolder(id));
  }
}
