export { IngestionModule } from './ingestion.module';
export { storeContents } from './store-contents';
export { ingestionPersistence } from './persistence/schema';
export { mediaKeysOf } from './sweeps/live-media';
export { generationOfKey, isOwnKey, OWN_PREFIXES, taskOfWork } from './storage-keys';
