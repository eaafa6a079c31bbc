import { INDEX_DATASET } from './index-dataset.job';

export const INGESTION_JOBS = [INDEX_DATASET];
