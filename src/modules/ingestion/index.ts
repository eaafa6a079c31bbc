export { ArrivedBatches, type ArrivedBatch } from './arrived-batches';
export { IngestionModule } from './ingestion.module';
export { INGESTION_JOBS } from './jobs';
export { storeContents } from './store-contents';
export { ingestionPersistence } from './persistence';
