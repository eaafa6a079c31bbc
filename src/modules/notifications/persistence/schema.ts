import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../common/platform/database/forward-migration';
import { NotificationEntity } from './notification.repository';

class CreateNotification1763700001200 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE notification (
        id uuid PRIMARY KEY,
        position bigserial NOT NULL,
        user_id uuid NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
        entity_type text NOT NULL,
        entity_id uuid NOT NULL,
        title text NOT NULL,
        message text,
        metadata jsonb NOT NULL,
        dataset_id uuid REFERENCES dataset (id) ON DELETE CASCADE,
        created_at timestamptz NOT NULL,
        read_at timestamptz
      )`);
    await runner.query('CREATE UNIQUE INDEX ON notification (position)');
    await runner.query('CREATE INDEX ON notification (user_id, position)');
    await runner.query('CREATE INDEX ON notification (entity_id)');
    await runner.query('CREATE INDEX ON notification (dataset_id)');
  }
}

export const notificationsPersistence = {
  entities: [NotificationEntity],
  migrations: [CreateNotification1763700001200],
};
