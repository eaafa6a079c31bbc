import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../../common/platform/database/forward-migration';
import { SearchAnchorEntity } from './search-anchor.repository';

class CreateSearchAnchor1763700000700 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE search_anchor (
        id uuid PRIMARY KEY,
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        entity_type text NOT NULL,
        level smallint NOT NULL,
        model_id text NOT NULL,
        embedding bytea NOT NULL,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX ON search_anchor (dataset_id)');
    await runner.query('CREATE INDEX ON search_anchor (expires_at)');
  }
}

export const anchorsPersistence = {
  entities: [SearchAnchorEntity],
  migrations: [CreateSearchAnchor1763700000700],
};
