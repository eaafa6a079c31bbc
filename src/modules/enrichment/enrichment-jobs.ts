import { ENRICH_DATASET } from './apply/enrich-dataset.job';

export const ENRICHMENT_JOBS = [ENRICH_DATASET];
