export { DuplicatesModule } from './duplicates.module';
export { duplicatesPersistence } from './persistence';
