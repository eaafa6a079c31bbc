import { ADD_MEDIA } from './add-media.job';
import { INDEX_DATASET } from './index-dataset.job';
import { SYNC_DATASET } from '../sync/sync-dataset.job';
import { REINDEX } from './reindex.job';

export const INGESTION_JOBS = [INDEX_DATASET, ADD_MEDIA, SYNC_DATASET, REINDEX];
