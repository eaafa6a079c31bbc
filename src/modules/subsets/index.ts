import { KEEP_ROWS } from './jobs/keep-rows.job';

export { SubsetsModule } from './subsets.module';
export const SUBSET_JOBS = [KEEP_ROWS];
