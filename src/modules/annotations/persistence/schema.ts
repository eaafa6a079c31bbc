import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../common/platform/database/forward-migration';
import { AnnotationChangeEntity } from './annotation-change.repository';
import { MetadataImportEntity } from './metadata-import.repository';

class CreateMetadataImport1763700005001 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE metadata_import (
        id uuid PRIMARY KEY,
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        field_name text NOT NULL,
        task_id uuid,
        inserted_rows int NOT NULL,
        error_count int NOT NULL,
        sample_errors jsonb NOT NULL
      )`);
    await runner.query('CREATE INDEX ON metadata_import (dataset_id)');
  }
}

class CreateAnnotationChange1763700006800 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE annotation_change (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id uuid NOT NULL,
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        source text NOT NULL,
        mode text NOT NULL,
        created_by text NOT NULL,
        created_at timestamptz NOT NULL,
        queue_id uuid,
        undoes uuid,
        added int NOT NULL,
        changed int NOT NULL,
        removed int NOT NULL,
        n_media int,
        media_ids uuid[] NOT NULL,
        content bytea,
        content_bytes int NOT NULL
      )`);
    // It is compressed already.
    await runner.query('ALTER TABLE annotation_change ALTER COLUMN content SET STORAGE EXTERNAL');
    await runner.query('CREATE UNIQUE INDEX ON annotation_change (id)');
    await runner.query('CREATE INDEX ON annotation_change (dataset_id, number)');
    await runner.query('CREATE INDEX ON annotation_change (dataset_id, created_by, number)');
    await runner.query('CREATE INDEX ON annotation_change (queue_id)');
    await runner.query('CREATE UNIQUE INDEX ON annotation_change (undoes)');
    await runner.query('CREATE INDEX ON annotation_change USING gin (media_ids)');
  }
}

export const annotationsPersistence = {
  entities: [MetadataImportEntity, AnnotationChangeEntity],
  migrations: [CreateMetadataImport1763700005001, CreateAnnotationChange1763700006800],
};
