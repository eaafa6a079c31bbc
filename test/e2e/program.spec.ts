import { randomUUID } from 'node:crypto';
import { access, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ApiClient } from '../support/api-client';
import { writePicture } from '../support/pictures';
import { freePort, Program } from '../support/program';
import { appSchema } from '../support/test-app';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

describe('the program', () => {
  let folder: string;
  let dataDir: string;
  const running: Program[] = [];
  const databases: TestDatabase[] = [];

  const start = async (...options: Parameters<typeof Program.start>): Promise<Program> => {
    const program = await Program.start(...options);
    running.push(program);
    return program;
  };

  /** Uses the shared Postgres where the embedded one is not under test. */
  const withDatabase = async (env: Readonly<Record<string, string>>): Promise<Record<string, string>> => {
    const database = await createTestDatabase(appSchema);
    databases.push(database);
    return { ...env, DATABASE_URL: database.url };
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-e2e-'));
    dataDir = join(folder, 'data');
  });

  afterEach(async () => {
    for (const program of running.splice(0)) await program.stop('SIGKILL');
    for (const database of databases.splice(0)) await database.drop();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  it('starts in an empty folder, indexes, stops on Ctrl-C, and keeps its data', async () => {
    const port = await freePort();
    const first = await start(dataDir, port);
    expect(first.output).toContain(`${first.url}/api/v1/docs`);
    for (let seed = 0; seed < 6; seed += 1) await writePicture(join(folder, 'media', `${seed}.jpg`), seed);
    const api = new ApiClient(first.url);
    const id = await api.createFromFolder('Kept', join(folder, 'media'));
    expect(await api.untilStatus(id, ['READY'])).toMatchObject({ n_images: 6 });
    expect(await first.stop('SIGINT')).toBe(0);

    const second = await start(dataDir, port);
    expect(await api.must(200, 'GET', `/api/v1/dataset/${id}`)).toMatchObject({
      display_name: 'Kept',
      status_new: 'READY',
      n_images: 6,
    });
    const page = await api.must<{ clusters: { previews: { media_thumb_uri: string; media_uri: string }[] }[] }>(
      200,
      'GET',
      `/api/v1/explore/${id}?entity_type=IMAGES`,
    );
    const preview = page.clusters[0]!.previews[0]!;
    const thumbnail = await fetch(preview.media_thumb_uri);
    expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/webp']);
    const original = await fetch(preview.media_uri, { headers: { range: 'bytes=0-1' } });
    expect([original.status, Buffer.from(await original.arrayBuffer()).toString('hex')]).toEqual([206, 'ffd8']);
    expect(await second.stop('SIGTERM')).toBe(0);
    expect(second.output).not.toContain('MaxListenersExceededWarning');
  });

  describe('while it runs', () => {
    let kept: string;
    let first: Program;

    beforeAll(async () => {
      kept = await mkdtemp(join(tmpdir(), 'dms-e2e-'));
      first = await Program.start(join(kept, 'data'), await freePort(), { env: { HOME: join(kept, 'home') } });
    });

    afterAll(async () => {
      await first.stop('SIGKILL');
      await rm(kept, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    });

    it('serves its health, metrics and description', async () => {
      const written = ['.', 'store', 'store/.installation.json', 'service.pid', 'postgres/password', 'secret.key'];
      const modes = written.map(async (name) => (await stat(join(kept, 'data', name))).mode & 0o077);
      expect(await Promise.all(modes)).toEqual(written.map(() => 0));
      expect(await (await fetch(`${first.url}/health/live`)).json()).toEqual({ status: 'ok' });
      expect(await (await fetch(`${first.url}/health/ready`)).json()).toMatchObject({
        status: 'ok',
        parts: { postgres: 'up', store: 'up', models: 'up' },
      });
      const metrics = await (await fetch(`${first.url}/metrics`)).text();
      for (const name of ['http_request_duration_seconds', 'media_quarantined_total', 'jobs_', 'nodejs_eventloop_lag'])
        expect(metrics).toContain(name);
      const docs = await (await fetch(`${first.url}/api/v1/docs`)).text();
      expect(docs).toContain('swagger-ui');
    });

    it('keeps names with spaces, quotes, newlines and unicode', async () => {
      const names = [
        'with space.jpg',
        'quo"te\'s.jpg',
        'new\nline.jpg',
        'ünïcödé 写真.jpg',
        '%41 percent.jpg',
        '#hash?.jpg',
        'sub dir/ä.jpg',
      ];
      for (const [seed, name] of names.entries()) await writePicture(join(kept, 'odd', name), seed);
      await writeFile(join(kept, 'odd', 'empty.png'), '');
      const api = new ApiClient(first.url);
      const id = await api.indexed('Odd names', join(kept, 'odd'));
      const page = await api.must<{ clusters: { previews: { original_uri: string; media_uri: string }[] }[] }>(
        200,
        'GET',
        `/api/v1/explore/${id}?entity_type=IMAGES`,
      );
      const previews = page.clusters.flatMap((cluster) => cluster.previews);
      expect(previews.map((preview) => preview.original_uri).sort()).toEqual([...names].sort());
      for (const { media_uri } of previews) expect((await fetch(media_uri)).status).toBe(200);
      const { files } = await api.must<{ files: { file: string }[] }>(200, 'GET', `/api/v1/dataset/${id}/quarantine`);
      expect(files.map(({ file }) => file)).toEqual(['empty.png']);
      // The model runtime stores its telemetry below the home folder.
      await expect(access(join(kept, 'home'))).rejects.toThrow('ENOENT');
    });

    it('exits with a message if the data folder is in use', async () => {
      const second = Program.launch(join(kept, 'data'), await freePort());
      expect(await second.ended()).toBe(1);
      expect(second.output).toMatch(/is in use by another process of this service/);
      expect((await fetch(`${first.url}/health/ready`)).status).toBe(200);
    });

    it('exits with one sentence if its port is in use', async () => {
      const taken = new URL(first.url).port;
      const second = Program.launch(dataDir, Number(taken), { env: await withDatabase({}) });
      expect(await second.ended()).toBe(1);
      expect(second.output).toBe(
        `PORT=${taken} can't be opened on 127.0.0.1: another program is using it: stop that program, or set another port.\n`,
      );
    });
  });

  it('exits with one sentence for the store of another installation', async () => {
    const store = join(folder, 'store');
    await mkdir(store);
    await writeFile(join(store, '.installation.json'), JSON.stringify({ installation: randomUUID() }));
    const program = Program.launch(dataDir, await freePort(), {
      env: await withDatabase({ STORAGE_URL: pathToFileURL(store).href }),
    });
    expect(await program.ended()).toBe(1);
    expect(program.output).toMatch(/^The store file:.* belongs to another installation .*adopt-store.*\n$/);
  });

  it.each([
    [{ PORT: 'http' }, /PORT=http is not valid/],
    [{ HOST: '0.0.0.0' }, /HOST=0\.0\.0\.0 is refused/],
    [{ AUTH_MODE: 'oidc' }, /OIDC_ISSUER, OIDC_CLIENT_ID, and OIDC_CLIENT_SECRET must be set/],
    [{ ROLE: 'api' }, /DATABASE_URL must be set/],
    [{ STORAGE_URL: 's3://bucket' }, /S3_ENDPOINT, S3_ACCESS_KEY and S3_SECRET_KEY must be set/],
    [{ SECRET_KEY: 'short' }, /SECRET_KEY is not valid/],
  ])('ends the start with a one-sentence error for %p', async (env, sentence) => {
    const program = Program.launch(dataDir, await freePort(), { env });
    expect(await program.ended()).toBe(1);
    expect(program.output).toMatch(sentence);
    expect(program.output.trim().split('\n')).toHaveLength(1);
  });
});
