import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../../common/platform/database/forward-migration';
import { TagFileEntity } from './tag-file.repository';
import { TagEntity } from './tag.repository';

class CreateTags1763700000800 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tag (
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        name text NOT NULL,
        name_key text NOT NULL,
        created_by uuid NOT NULL REFERENCES app_user (id),
        created_at timestamptz NOT NULL,
        PRIMARY KEY (dataset_id, id)
      )`);
    await runner.query('CREATE UNIQUE INDEX ON tag (dataset_id, name_key)');
    await runner.query(`
      CREATE TABLE tag_file (
        id uuid PRIMARY KEY,
        created_at timestamptz NOT NULL,
        orphaned_at timestamptz
      )`);
    await runner.query('ALTER TABLE dataset ADD FOREIGN KEY (tags_file) REFERENCES tag_file (id)');
  }
}

/** A tag remains when its creator is deleted. */
class KeepTagsOfDeletedUsers1763700002002 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tag DROP CONSTRAINT tag_created_by_fkey');
  }
}

export const tagsPersistence = {
  entities: [TagEntity, TagFileEntity],
  migrations: [CreateTags1763700000800, KeepTagsOfDeletedUsers1763700002002],
};
