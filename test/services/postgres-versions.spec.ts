import { basename, join } from 'node:path';
import { makeBackup } from '../../src/maintenance/backup/make-backup';
import { restoreBackup } from '../../src/maintenance/backup/restore-backup';
import { ApiClient, filesForm } from '../support/api-client';
import { answersOf, emptyPlace, fillInstallation, type EmptyPlace, type Filled } from '../support/backed-up';
import { ExportClient } from '../support/export-client';
import { pictureBytes } from '../support/pictures';
import { appSchema, startTestApp } from '../support/test-app';
import { onServer } from '../support/test-database';
import { TEST_DATABASE_SERVER } from '../support/test-server';
import { PostgresServer } from './postgres-server';

const FOLDERS = (process.env['TEST_POSTGRES'] ?? '').split(':');
const silent = (): void => undefined;

it('finds Postgres versions to test with', () => {
  expect(FOLDERS).not.toEqual(['']);
});

describe.each(FOLDERS.map((folder) => [basename(folder), folder] as const))('on %s', (_name, folder) => {
  let server: PostgresServer;
  let filled: Filled | undefined;
  let there: EmptyPlace | undefined;

  beforeAll(async () => {
    server = await PostgresServer.start(folder);
    process.env[TEST_DATABASE_SERVER] = server.url;
    filled = await fillInstallation();
  });

  afterAll(async () => {
    await there?.remove();
    await filled?.app.close();
    await server.stop();
  });

  it('is the expected version', async () => {
    const { rows } = await onServer((client) => client.query<{ server_version: string }>('SHOW server_version'));
    const [, major] = /postgres-(\d+)\./.exec(basename(folder))!;
    expect(rows[0]!.server_version).toMatch(new RegExp(`^${major}\\.`, 'u'));
  });

  it('adds to, reindexes and exports datasets', async () => {
    const { api, uploaded } = filled!;
    const more = filesForm([{ name: 'more.jpg', bytes: await pictureBytes(77) }]);
    await api.must(202, 'POST', `/api/v1/dataset/${uploaded}/add_media`, more);
    await api.untilStatus(uploaded, ['PARTIAL INDEX']);
    await api.must(202, 'POST', `/api/v1/dataset/${uploaded}/reindex`);
    expect(await api.untilStatus(uploaded, ['READY'])).toMatchObject({ n_images: 4 });
    const exports = new ExportClient(api);
    await exports.untilCompleted(uploaded, await exports.start(uploaded, 'export_format=json'));
  });

  it('makes and restores a backup', async () => {
    const { app, api, configuration, secretKey } = filled!;
    const place = join(app.folder, 'backup');
    const before = await answersOf(api);
    await makeBackup({ configuration, place, print: silent });
    there = await emptyPlace(secretKey);
    await restoreBackup({ configuration: there.configuration, schema: appSchema, place, print: silent });
    const variables = { DATA_DIR: join(there.folder, 'data'), SECRET_KEY: secretKey };
    const url = there.database.url;
    const restored = await startTestApp(variables, undefined, () => Promise.resolve(url));
    try {
      expect(await answersOf(new ApiClient(restored.url))).toEqual(before);
    } finally {
      await restored.close();
    }
  });
});
