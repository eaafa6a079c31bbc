import { AnalyzedChunkEntity } from './chunk-journal.repository';
import { CountUnusedAnnotations1763700003700 } from './migrations/1763700003700-count-unused-annotations';
import { TellWhatChunksAreMadeFrom1763700005003 } from './migrations/1763700005003-tell-what-chunks-are-made-from';
import { QuarantinedFileEntity } from './quarantine.repository';

export const tablesPersistence = {
  entities: [QuarantinedFileEntity, AnalyzedChunkEntity],
  migrations: [CountUnusedAnnotations1763700003700, TellWhatChunksAreMadeFrom1763700005003],
};
