import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../common/platform/database/forward-migration';
import { AuditEntryEntity } from './audit-list.read-model';

class CreateAuditEntry1763700001700 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_entry (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL,
        action text NOT NULL,
        actor_id uuid,
        actor_email text,
        subject text,
        details jsonb NOT NULL
      )`);
    await runner.query(`
      CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'The audit log is append-only'; END $$`);
    await runner.query(`
      CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE ON audit_entry
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`);
  }
}

/** Finds a page of one actor, subject or action without reading all entries; also refuses TRUNCATE. */
class IndexAuditEntry1763700002201 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    for (const column of ['action', 'subject', 'actor_id', 'actor_email'])
      await runner.query(`CREATE INDEX ON audit_entry (${column}, id)`);
    await runner.query('CREATE INDEX ON audit_entry (at)');
    await runner.query(`
      CREATE TRIGGER audit_entry_not_emptied BEFORE TRUNCATE ON audit_entry
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`);
  }
}

export const auditPersistence = {
  entities: [AuditEntryEntity],
  migrations: [CreateAuditEntry1763700001700, IndexAuditEntry1763700002201],
};
