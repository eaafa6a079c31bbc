import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../common/platform/database/forward-migration';
import { ExportTaskEntity } from './export.repository';

class CreateExportTask1763700001500 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE export_task (
        task_id uuid PRIMARY KEY REFERENCES task (id) ON DELETE CASCADE,
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        file_name text NOT NULL,
        format text NOT NULL,
        include_images boolean NOT NULL,
        entities_count integer NOT NULL,
        exported_by text NOT NULL,
        result_message text,
        archive_key text,
        expires_at timestamptz,
        generation_id uuid REFERENCES generation (id),
        table_version integer NOT NULL,
        clustering_id uuid NOT NULL,
        tags_file uuid,
        tags jsonb NOT NULL,
        selection bytea
      )`);
    await runner.query('CREATE INDEX ON export_task (dataset_id)');
    await runner.query('CREATE INDEX ON export_task (expires_at)');
    await runner.query('CREATE INDEX ON export_task (generation_id)');
    await runner.query('CREATE INDEX ON export_task (tags_file)');
  }
}

class AddEmbeddingModelToExport1763700004800 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE export_task ADD COLUMN embedding_model text');
  }
}

class AddAnnotationsToExport1763700006720 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE export_task
        ADD COLUMN source text,
        ADD COLUMN annotation_state uuid REFERENCES annotation_state (id)`);
    await runner.query('CREATE INDEX ON export_task (annotation_state)');
  }
}

export const exportPersistence = {
  entities: [ExportTaskEntity],
  migrations: [
    CreateExportTask1763700001500,
    AddEmbeddingModelToExport1763700004800,
    AddAnnotationsToExport1763700006720,
  ],
};
