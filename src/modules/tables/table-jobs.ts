import { ANALYZE_PART } from './analysis/analyze-part.job';

export const TABLE_JOBS = [ANALYZE_PART];
