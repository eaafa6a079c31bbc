import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../src/common/platform/database/embedded-postgres';
import { sharedServer, TEST_DATABASE_SERVER, TEST_RUN_FOLDER } from './test-server';

const SPEED_OVER_SAFETY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '200',
};

/** Starts one Postgres server for a whole run; each test file clones its own database. */
export default async function startPostgres(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'media-service-test-'));
  const server = await EmbeddedPostgres.start({ folder, settings: SPEED_OVER_SAFETY });
  process.env[TEST_DATABASE_SERVER] = server.url;
  process.env[TEST_RUN_FOLDER] = folder;
  sharedServer.set({ server, folder });
}
