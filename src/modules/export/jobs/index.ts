import { DROP_ARCHIVES } from './drop-archives.job';
import { EXPORT } from './export.job';

export const EXPORT_JOBS = [EXPORT, DROP_ARCHIVES];
