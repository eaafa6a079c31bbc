export { DecidedMediaReader } from './decided-rows.cache';
export { DuplicatesModule } from './duplicates.module';
export { duplicatesPersistence } from './persistence/schema';
