import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds a page of one actor, subject or action without reading all entries; also refuses TRUNCATE. */
export class IndexAuditEntry1763700002201 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const column of ['action', 'subject', 'actor_id', 'actor_email'])
      await runner.query(`CREATE INDEX ON audit_entry (${column}, id)`);
    await runner.query('CREATE INDEX ON audit_entry (at)');
    await runner.query(`
      CREATE TRIGGER audit_entry_not_emptied BEFORE TRUNCATE ON audit_entry
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}
