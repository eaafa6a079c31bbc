import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../common/platform/database/forward-migration';
import { AnalyzedChunkEntity } from './chunk-journal.repository';
import { QuarantinedFileEntity } from './quarantine.repository';

class CountUnusedAnnotations1763700003700 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE analyzed_chunk ADD COLUMN boxes_outside integer NOT NULL DEFAULT 0, ADD COLUMN annotated_videos integer NOT NULL DEFAULT 0',
    );
  }
}

class TellWhatChunksAreMadeFrom1763700005003 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE analyzed_chunk ADD COLUMN made_from text');
  }
}

export const tablesPersistence = {
  entities: [QuarantinedFileEntity, AnalyzedChunkEntity],
  migrations: [CountUnusedAnnotations1763700003700, TellWhatChunksAreMadeFrom1763700005003],
};
