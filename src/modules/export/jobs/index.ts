import { EXPORT } from './export.job';

export const EXPORT_JOBS = [EXPORT];
