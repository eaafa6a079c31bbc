import { CreateIngestion1763700000400 } from './migrations/1763700000400-create-ingestion';
import { UploadFileEntity } from './upload-file.entity';
import { UploadTransactionEntity } from './upload-transaction.entity';

export const ingestionPersistence = {
  entities: [UploadTransactionEntity, UploadFileEntity],
  // The first one makes the tables of `tablesPersistence` too.
  migrations: [CreateIngestion1763700000400],
};
