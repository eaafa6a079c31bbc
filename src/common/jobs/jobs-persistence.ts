import type { SchemaParts } from '../database/data-source';
import { JobRunEntity } from './job-run.entity';
import { CreateJobRun1763700000000 } from './migrations/1763700000000-create-job-run';

export const jobsPersistence: SchemaParts = {
  entities: [JobRunEntity],
  migrations: [CreateJobRun1763700000000],
};
