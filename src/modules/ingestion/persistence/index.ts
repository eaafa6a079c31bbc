import { CreateIngestion1763700000400 } from './migrations/1763700000400-create-ingestion';
import { UploadFileEntity, UploadTransactionEntity } from './upload.repository';

export const ingestionPersistence = {
  entities: [UploadTransactionEntity, UploadFileEntity],
  // The first one makes the tables of `tablesPersistence` too.
  migrations: [CreateIngestion1763700000400],
};
