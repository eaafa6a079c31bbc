import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../../../common/platform/database/forward-migration';
import { OrganizationEntity, WorkspaceEntity, WorkspaceMemberEntity, UserEntity } from './workspace.entity';

class CreateWorkspaces1763700000100 extends ForwardMigration {
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
}

class AddIdentities1763700001600 extends ForwardMigration {
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
}

class AddUserEnabled1763700002001 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE app_user ADD COLUMN enabled boolean NOT NULL DEFAULT true');
  }
}

export const workspacesPersistence = {
  entities: [OrganizationEntity, WorkspaceEntity, UserEntity, WorkspaceMemberEntity],
  migrations: [CreateWorkspaces1763700000100, AddIdentities1763700001600, AddUserEnabled1763700002001],
};
