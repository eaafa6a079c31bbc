import { AnalyzedChunkEntity } from './analyzed-chunk.entity';
import { CreateIngestion1763700000400 } from './migrations/1763700000400-create-ingestion';
import { CountUnusedAnnotations1763700003700 } from './migrations/1763700003700-count-unused-annotations';
import { TellWhatChunksAreMadeFrom1763700005003 } from './migrations/1763700005003-tell-what-chunks-are-made-from';
import { QuarantinedFileEntity } from './quarantined-file.entity';
import { UploadFileEntity } from './upload-file.entity';
import { UploadTransactionEntity } from './upload-transaction.entity';

export const ingestionPersistence = {
  entities: [UploadTransactionEntity, UploadFileEntity, QuarantinedFileEntity, AnalyzedChunkEntity],
  migrations: [
    CreateIngestion1763700000400,
    CountUnusedAnnotations1763700003700,
    TellWhatChunksAreMadeFrom1763700005003,
  ],
};
