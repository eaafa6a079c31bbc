import type { MigrationInterface, QueryRunner } from 'typeorm';

class CreateWorkspaces1763700000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organization (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz
      )`);
    await runner.query(`
      CREATE TABLE workspace (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL REFERENCES organization (id),
        name text NOT NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz
      )`);
    await runner.query(`
      CREATE TABLE app_user (
        id uuid PRIMARY KEY,
        email text NOT NULL UNIQUE,
        name text NOT NULL,
        created_at timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE workspace_member (
        workspace_id uuid NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
        user_id uuid NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
        role text NOT NULL,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (workspace_id, user_id)
      )`);
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

class AddIdentities1763700001600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE app_user
        ADD COLUMN subject text UNIQUE,
        ADD COLUMN username text,
        ADD COLUMN first_name text,
        ADD COLUMN last_name text,
        ADD COLUMN realm_roles text[] NOT NULL DEFAULT '{}'`);
    await runner.query('ALTER TABLE app_user ALTER COLUMN realm_roles DROP DEFAULT');
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

class AddUserEnabled1763700002001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE app_user ADD COLUMN enabled boolean NOT NULL DEFAULT true');
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward');
  }
}

/** In the order in which they run. */
export const MIGRATIONS = [CreateWorkspaces1763700000100, AddIdentities1763700001600, AddUserEnabled1763700002001];
