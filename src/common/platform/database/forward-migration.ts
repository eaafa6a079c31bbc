import type { MigrationInterface, QueryRunner } from 'typeorm';

export abstract class ForwardMigration implements MigrationInterface {
  abstract up(runner: QueryRunner): Promise<void>;

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward.'));
  }
}
