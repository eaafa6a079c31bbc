import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Test, type TestingModule } from '@nestjs/testing';
import { CONFIGURATION, readConfiguration } from '../../../src/common/platform/config/configuration';
import { ConfigurationModule } from '../../../src/common/platform/config/configuration.module';
import { DatabaseModule } from '../../../src/common/platform/database/database.module';
import { ApiKeysModule } from '../../../src/modules/auth/api-keys/api-keys.module';
import { SessionsModule } from '../../../src/modules/auth/sessions/sessions.module';
import { ApiClient } from '../../support/api-client';
import { ChildProgram } from '../../support/child-program';
import { inBrowser, OIDC_VARIABLES, signedIn, tokenOf, type Running } from '../../support/principals';
import { freePort } from '../../support/program';
import { appSchema } from '../../support/test-app';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { waitUntil } from '../../support/wait-until';

const secret = (): string => randomBytes(24).toString('hex');

/** Parts of the program in this process, on the database of the service in the other process. */
function ownParts(variables: Readonly<Record<string, string>>): Promise<TestingModule> {
  const database = { url: variables['DATABASE_URL']! };
  return Test.createTestingModule({
    imports: [
      ConfigurationModule.with([[CONFIGURATION, readConfiguration(variables)]]),
      DatabaseModule.forRoot({ ...appSchema, database, applicationName: 'test', poolSize: 2 }),
      ApiKeysModule,
      SessionsModule,
    ],
  }).compile();
}

describe('the log at DEBUG', () => {
  let database: TestDatabase;
  let folder: string;
  let service: ChildProgram;
  let parts: TestingModule;
  let running: Running;
  let variables: Readonly<Record<string, string>>;

  const log = (): string => service.lines.join('\n');

  beforeAll(async () => {
    database = await createTestDatabase(appSchema);
    folder = await mkdtemp(join(tmpdir(), 'dms-logs-'));
    variables = {
      ...OIDC_VARIABLES,
      OIDC_CLIENT_SECRET: secret(),
      PIPELINE_TOKEN: secret(),
      SECRET_KEY: randomBytes(32).toString('base64'),
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      PORT: String(await freePort()),
      LOG_LEVEL: 'DEBUG',
    };
    service = ChildProgram.start(join(__dirname, '..', '..', 'support', 'programs', 'service.program.ts'), [
      JSON.stringify(variables),
    ]);
    await service.untilLine('Dataset Media Service is ready');
    parts = await ownParts(variables);
    running = { app: parts, url: `http://127.0.0.1:${variables['PORT']!}` };
  });

  afterAll(async () => {
    service.process.kill('SIGTERM');
    await service.exited;
    await parts.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('contains every request, and no secrets', async () => {
    const canaries = [
      new URL(database.url).password,
      variables['OIDC_CLIENT_SECRET']!,
      variables['PIPELINE_TOKEN']!,
      variables['SECRET_KEY']!,
    ];
    const hidden = (): string => {
      const canary = secret();
      canaries.push(canary);
      return canary;
    };
    const someone = await signedIn(running, {
      email: 'someone@example.com',
      role: 'admin',
      realmRoles: ['manage-users'],
    });
    const browser = await inBrowser(running, someone);
    const made = await browser.must<{ api_key: string; api_secret: string }>(200, 'GET', '/api/v1/api_credentials');
    const token = tokenOf(made.api_key, made.api_secret);
    const forged = tokenOf(made.api_key, hidden());
    canaries.push(someone.secret, made.api_secret, browser.headers()['cookie']!.split('=')[1]!);
    canaries.push(...token.split('.').slice(1), ...forged.split('.').slice(1));
    const anyone = new ApiClient(running.url);
    const shows = (headers: Readonly<Record<string, string>>) => new ApiClient(running.url, () => headers);

    await shows({ authorization: `Bearer ${token}` }).must(200, 'GET', '/api/v1/datasets');
    await shows({ authorization: `Bearer ${forged}` }).must(401, 'GET', '/api/v1/datasets');
    await shows({ authorization: `Basic ${hidden()}` }).must(401, 'GET', '/api/v1/datasets');
    await shows({ cookie: `SESSION=${hidden()}` }).must(401, 'GET', '/api/v1/datasets');
    await shows({ 'x-pipeline-token': hidden() }).ask('GET', '/api/v1/process');
    await shows({ 'x-api-key': hidden(), referer: `https://example.com/?code=${hidden()}` }).ask(
      'GET',
      '/api/v1/nothing',
    );
    await anyone.must(401, 'GET', `/api/v1/datasets?access_token=${hidden()}`);
    await anyone.ask('GET', `/api/v1/oidc/callback?code=${hidden()}&state=${hidden()}&session_state=${hidden()}`);
    await anyone.ask('GET', `/api/v1/oidc/login?return_to=/${hidden()}`);
    await anyone.ask('POST', '/api/v1/oidc/backchannel-logout', { logout_token: hidden() });
    await anyone.ask('GET', `/api/v1/media/store/a.jpg?expires=9999999999&signature=${hidden()}`);
    const user = { username: 'newcomer', password: hidden(), firstName: 'New', lastName: 'Comer' };
    await someone.api.ask('POST', '/api/v1/idp/admin/users', user);
    await someone.api.ask('POST', `/api/v1/idp/admin/users/${randomUUID()}/reset-password`, { password: hidden() });
    await someone.api.ask('POST', '/api/v1/admin/settings', { key: 'SECRET_KEY', value: hidden() });
    await fetch(`${running.url}/api/v1/admin/settings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: `{"key": ${hidden()}`,
    });
    await anyone.must(404, 'GET', '/api/v1/the-last-one');

    await waitUntil(() => log().includes('/api/v1/the-last-one'));
    expect(log()).toContain('/api/v1/oidc/callback');
    expect(log()).toContain('/api/v1/idp/admin/users');
    expect(canaries.filter((canary) => log().includes(canary))).toEqual([]);
    expect(log()).not.toMatch(/authorization|set-cookie|SESSION=|Bearer /i);
  });

  it('has one line at INFO for each request that made a change', async () => {
    const someone = await signedIn(running, { email: 'changes@example.com', role: 'editor' });
    const of = (id: string) =>
      new ApiClient(running.url, () => ({ authorization: `Bearer ${someone.token()}`, 'x-request-id': id }));
    await of('changes-by-post').must(200, 'POST', '/api/v1/notifications/read-all');
    await of('changes-by-get').must(200, 'GET', '/api/v1/ingestion/new_dataset?dataset_name=told');
    await of('only-reads').must(200, 'GET', '/api/v1/datasets');
    await of('is-refused').must(404, 'POST', `/api/v1/dataset/${randomUUID()}/reindex`);
    await of('is-last').ask('GET', '/api/v1/nothing');
    const told = (id: string): unknown[] =>
      service.lines.filter((line) => line.includes(`"id":"${id}"`)).map((line): unknown => JSON.parse(line));
    await waitUntil(() => told('is-last').length > 0);
    const line = (method: string, path: string): unknown[] => [
      expect.objectContaining({
        level: 30,
        req: expect.objectContaining({ method, path }) as unknown,
        res: { status: 200 },
        route: path,
        user: someone.userId,
        responseTime: expect.any(Number) as number,
      }),
    ];
    expect(told('changes-by-post')).toEqual(line('POST', '/api/v1/notifications/read-all'));
    expect(told('changes-by-get')).toEqual(line('GET', '/api/v1/ingestion/new_dataset'));
    for (const id of ['only-reads', 'is-refused']) expect(told(id)).toMatchObject([{ level: 20 }]);
  });

  it('has the reason of a client error, without a stack trace', async () => {
    const someone = await signedIn(running, { email: 'asks@example.com', role: 'editor' });
    const body = new FormData();
    for (const [name, value] of [
      ['dataset_name', 'Outside'],
      ['bucket_path', '/etc'],
    ] as const)
      body.set(name, value);
    const headers = { authorization: `Bearer ${someone.token()}`, 'x-request-id': 'asks-outside' };
    const { status } = await fetch(`${running.url}/api/v1/dataset`, { method: 'POST', headers, body });
    expect(status).toBe(500);
    const told = (): string[] => service.lines.filter((line) => line.includes('"id":"asks-outside"'));
    await waitUntil(() => told().length > 0);
    expect(told().map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({
        req: { id: 'asks-outside', method: 'POST', path: '/api/v1/dataset' },
        reason: expect.stringMatching(/^Nothing can be read at \/etc/) as string,
      }),
    ]);
    expect(told().join()).not.toMatch(/stack|\.js:/);
  });
});
