import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../common/platform/database/forward-migration';
import { TaskEntity } from './task.repository';

class CreateTasks1763700000300 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE task (
        id uuid PRIMARY KEY,
        dataset_id uuid NOT NULL REFERENCES dataset (id) ON DELETE CASCADE,
        dataset_name text NOT NULL,
        created_by text NOT NULL,
        type text NOT NULL,
        status text NOT NULL,
        status_message text NOT NULL,
        progress integer NOT NULL,
        error_message text,
        warnings text[] NOT NULL,
        quarantined integer NOT NULL,
        start_time timestamptz NOT NULL,
        end_time timestamptz,
        job_id uuid
      )`);
    await runner.query('CREATE INDEX ON task (dataset_id, status)');
    await runner.query('CREATE INDEX ON task (start_time)');
  }
}

class AddTaskParameters1763700001000 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE task ADD COLUMN parameters jsonb NOT NULL DEFAULT '{}'");
    await runner.query('ALTER TABLE task ALTER COLUMN parameters DROP DEFAULT');
  }
}

export const tasksPersistence = {
  entities: [TaskEntity],
  migrations: [CreateTasks1763700000300, AddTaskParameters1763700001000],
};
