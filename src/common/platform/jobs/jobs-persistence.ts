import type { SchemaParts } from '../database/data-source';
import { JobRunEntity } from './job-run.entity';
import { CreateJobRun1763700000000 } from './migrations/1763700000000-create-job-run';
import { AddWaitingToJobRun1763700003200 } from './migrations/1763700003200-add-waiting-to-job-run';
import { JobRunsAlone1763700003800 } from './migrations/1763700003800-job-runs-alone';
import { AddTraceToJobRun1763700004700 } from './migrations/1763700004700-add-trace-to-job-run';

export const jobsPersistence: SchemaParts = {
  entities: [JobRunEntity],
  migrations: [
    CreateJobRun1763700000000,
    AddWaitingToJobRun1763700003200,
    JobRunsAlone1763700003800,
    AddTraceToJobRun1763700004700,
  ],
};
