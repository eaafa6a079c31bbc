import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../common/platform/database/forward-migration';
import { UploadFileEntity, UploadTransactionEntity } from './upload.repository';

class CreateIngestion1763700000400 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE upload_transaction (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        created_at timestamptz NOT NULL,
        processed_at timestamptz
      )`);
    await runner.query('CREATE INDEX ON upload_transaction (dataset_id)');
    await runner.query(`
      CREATE TABLE upload_file (
        transaction_id integer NOT NULL REFERENCES upload_transaction (id) ON DELETE CASCADE,
        path text NOT NULL,
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        store_key text NOT NULL,
        size_bytes bigint NOT NULL,
        sha256 text NOT NULL,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (transaction_id, path)
      )`);
    await runner.query('CREATE INDEX ON upload_file (dataset_id)');
    await runner.query('CREATE INDEX ON upload_file (store_key)');
    await runner.query(`
      CREATE TABLE quarantined_file (
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        path_hash text NOT NULL,
        path text NOT NULL,
        task_id uuid NOT NULL,
        reason text NOT NULL,
        detail text NOT NULL,
        quarantined_at timestamptz NOT NULL,
        PRIMARY KEY (dataset_id, path_hash)
      )`);
    await runner.query(`
      CREATE TABLE analyzed_chunk (
        task_id uuid NOT NULL REFERENCES task (id) ON DELETE CASCADE,
        sequence integer NOT NULL,
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        store_key text NOT NULL,
        files integer NOT NULL,
        images integer NOT NULL,
        videos integer NOT NULL,
        frames integer NOT NULL,
        objects integer NOT NULL,
        PRIMARY KEY (task_id, sequence)
      )`);
    await runner.query('CREATE INDEX ON analyzed_chunk (dataset_id)');
  }
}

export const ingestionPersistence = {
  entities: [UploadTransactionEntity, UploadFileEntity],
  // The first one makes the tables of `tablesPersistence` too.
  migrations: [CreateIngestion1763700000400],
};
