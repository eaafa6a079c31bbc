import { Client } from 'pg';
import { DataFolderLock } from '../../../src/common/platform/database/data-folder-lock';
import { EmbeddedPostgres } from '../../../src/common/platform/database/embedded-postgres';

/** Holds a data folder and its Postgres until it is interrupted, then uses Postgres once more and stops it. */
async function main(folder: string): Promise<void> {
  DataFolderLock.take(folder);
  const postgres = await EmbeddedPostgres.start({ folder: `${folder}/postgres` });
  process.once('SIGINT', () => {
    void finish(postgres);
  });
  console.log(`pid ${postgres.serverPid}`);
  setInterval(() => undefined, 60_000);
}

async function finish(postgres: EmbeddedPostgres): Promise<void> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('CREATE TABLE finished (at timestamptz DEFAULT now())');
  await client.end();
  await postgres.stop();
  console.log('stopped');
  process.exit(0);
}

main(process.argv[2]!).catch((error: unknown) => {
  console.log(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
