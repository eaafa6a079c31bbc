import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TAKE_VQL } from '../contract/described-vql';
import { ApiClient } from '../support/api-client';
import { pictureBytes } from '../support/pictures';
import { OIDC_VARIABLES, signedIn } from '../support/principals';
import { startTestApp, type TestApp } from '../support/test-app';

/** The number of generated requests per operation, besides those at the limits of its schema; set EXAMPLES for more. */
const EXAMPLES = process.env['EXAMPLES'] ?? '2';
const MAX_RUN_MS = 540_000;
const UNLIMITED = {
  RATE_LIMIT_LOGIN: '0',
  RATE_LIMIT_CREDENTIALS: '0',
  RATE_LIMIT_UPLOAD: '0',
  RATE_LIMIT_SEARCH: '0',
  RATE_LIMIT_EXPORT: '0',
  RATE_LIMIT_PUBLIC: '0',
  RATE_LIMIT_MEDIA: '0',
};

const run = promisify(execFile);

/** Creates objects, so that some requests get further than "not found". */
async function makeIds(running: TestApp, api: ApiClient): Promise<Readonly<Record<string, string>>> {
  const folder = join(running.folder, 'source');
  await mkdir(folder);
  for (let seed = 0; seed < 6; seed += 1) await writeFile(join(folder, `${seed}.jpg`), await pictureBytes(seed));
  const dataset = await api.indexed('Described', folder);
  const at = `/api/v1/dataset/${dataset}`;
  const tag = await api.must<{ id: string }>(200, 'POST', `${at}/tags`, { name: 'tagged' });
  const form = new FormData();
  form.set('name', 'seen');
  const view = await api.must<{ id: string }>(200, 'POST', `${at}/views?entity_type=IMAGES`, form);
  interface Explored {
    readonly clusters: readonly {
      readonly cluster_id: string;
      readonly previews: readonly { readonly media_id: string }[];
    }[];
  }
  const [cluster] = (await api.must<Explored>(200, 'GET', `/api/v1/explore/${dataset}`)).clusters;
  return {
    dataset_id: dataset,
    tag_id: tag.id,
    view_id: view.id,
    cluster_id: cluster!.cluster_id,
    media_id: cluster!.previews[0]!.media_id,
  };
}

/** Allowed 500s and 503s: no identity provider responds, and the contract of one route has 500 for an unreadable path. */
const configuration = (ids: Readonly<Record<string, string>>): string =>
  [
    '[parameters]',
    ...Object.entries(ids).map(([name, id]) => `"path.${name}" = "${id}"`),
    '[checks]',
    'not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "503"]',
    '[[operations]]',
    'include-name = "POST /api/v1/dataset"',
    'checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "500"]',
    // Recursive schemas have no finite set of limits.
    ...TAKE_VQL.flatMap((operation) => [
      '[[operations]]',
      `include-name = "${operation}"`,
      'phases.coverage.enabled = false',
    ]),
  ].join('\n');

/** Fails with the report of requests that returned 500. */
async function tryAll(
  running: TestApp,
  ids: Readonly<Record<string, string>>,
  headers: readonly string[],
): Promise<void> {
  const program = (await run(join(__dirname, 'install-schemathesis'))).stdout.trim();
  const file = join(running.folder, 'schemathesis.toml');
  await writeFile(file, configuration(ids));
  const options = [
    '--phases',
    'examples,coverage,fuzzing',
    '--checks',
    'not_a_server_error',
    '--max-examples',
    EXAMPLES,
  ];
  // Excluded: the notification stream never ends, and deleting the dataset would leave nothing to test.
  const without = [
    '--exclude-path',
    '/api/v1/notifications/stream',
    '--exclude-name',
    'DELETE /api/v1/dataset/{dataset_id}',
  ];
  const quiet = [
    '--no-shrink',
    '--continue-on-failure',
    '--suppress-health-check',
    'all',
    '--warnings',
    'off',
    '--no-color',
  ];
  const all = [...options, ...(Object.keys(ids).length > 0 ? without : without.slice(0, 2)), ...quiet];
  const asked = [`${running.url}/api/v1/openapi.json`, '--url', running.url, '--request-timeout', '30'];
  try {
    await run(
      program,
      ['--config-file', file, 'run', ...asked, ...all, ...headers.flatMap((header) => ['-H', header])],
      {
        maxBuffer: 64 * 1024 * 1024,
        timeout: MAX_RUN_MS,
        cwd: running.folder,
      },
    );
  } catch (error) {
    throw new Error((error as { stdout?: string }).stdout?.slice(-20_000) ?? String(error), { cause: error });
  }
}

describe('requests generated from the API description never return 500', () => {
  it('without sign-in, for random ids', async () => {
    const running = await startTestApp();
    try {
      await tryAll(running, {}, []);
    } finally {
      await running.close();
    }
  }, 600_000);

  it('with sign-in, for existing ids', async () => {
    const running = await startTestApp({ ...OIDC_VARIABLES, ...UNLIMITED });
    try {
      const admin = await signedIn(running, {
        email: 'admin@described.example',
        role: 'admin',
        realmRoles: ['manage-users', 'view-users'],
      });
      const ids = await makeIds(running, admin.api);
      await tryAll(running, ids, [`Authorization: Bearer ${admin.token()}`]);
    } finally {
      await running.close();
    }
  }, 600_000);
});
