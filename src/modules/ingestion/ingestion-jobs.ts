import { ADD_MEDIA } from './add/add-media.job';
import { INDEX_DATASET } from './create/index-dataset.job';
import { SYNC_DATASET } from './sync/sync-dataset.job';
import { REINDEX } from './reindex/reindex.job';

export const INGESTION_JOBS = [INDEX_DATASET, ADD_MEDIA, SYNC_DATASET, REINDEX];
