export { DecidedMediaReader } from './decided-media.reader';
export { DuplicatesModule } from './duplicates.module';
export { duplicatesPersistence } from './persistence';
