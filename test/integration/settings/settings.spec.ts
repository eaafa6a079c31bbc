import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PinoLogger } from 'nestjs-pino';
import sharp from 'sharp';
import { hasVideoSupport } from '../../../src/common/engine/compute/video-tools';
import { Settings } from '../../../src/modules/settings';
import { ApiClient } from '../../support/api-client';
import { writePicture } from '../../support/pictures';
import { OIDC_VARIABLES, signedIn } from '../../support/principals';
import { sameInstallation, startTestApp, type TestApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

const PATH = '/api/v1/admin/settings';
const NOTICED_MS = 1_000;

const settingsOf = ({ app }: TestApp): Settings => app.get(Settings, { strict: false });

describe('settings', () => {
  let running: TestApp;
  let worker: TestApp;
  let api: ApiClient;

  beforeAll(async () => {
    running = await startTestApp();
    worker = await startTestApp({ ...sameInstallation(running), ROLE: 'worker', ADD_MEDIA_ENABLED: 'true' });
    api = new ApiClient(running.url);
  });

  afterAll(async () => {
    await worker.close();
    await running.close();
  });

  const set = (key: string, value: unknown): Promise<unknown> => api.must(200, 'POST', PATH, { key, value });
  const reset = (key: string): Promise<unknown> => api.must(200, 'DELETE', `${PATH}?key=${key}`);
  const get = async (key: string): Promise<string> =>
    (await api.must<{ value: string }>(200, 'GET', `${PATH}?key=${key}`)).value;

  it('have the values of the environment until they are set, and after a reset', async () => {
    expect(await get('ADD_MEDIA_ENABLED')).toBe('true');
    await set('ADD_MEDIA_ENABLED', false);
    expect(await get('add-media-enabled')).toBe('false');
    const { settings } = await api.must<{ settings: { key: string }[] }>(200, 'GET', `${PATH}/list`);
    expect(settings.find(({ key }) => key === 'ADD_MEDIA_ENABLED')).toMatchObject({
      value: 'false',
      default: 'true',
      overridden: true,
    });
    await reset('ADD_MEDIA_ENABLED');
    expect(await get('ADD_MEDIA_ENABLED')).toBe('true');
  });

  it('take effect immediately in this process, and soon in others', async () => {
    const here = settingsOf(running);
    const there = settingsOf(worker);
    const noticed: number[] = [];
    for (const images of [7, 8, 9]) {
      await set('MAX_NUM_OF_IMAGES', images);
      expect(here.number('MAX_NUM_OF_IMAGES')).toBe(images);
      const before = performance.now();
      await waitUntil(() => there.number('MAX_NUM_OF_IMAGES') === images);
      noticed.push(performance.now() - before);
    }
    expect(Math.min(...noticed)).toBeLessThan(NOTICED_MS);
    await reset('MAX_NUM_OF_IMAGES');
    await waitUntil(() => there.number('MAX_NUM_OF_IMAGES') === 100_000_000);
  });

  it('reach a process that lost its connection to Postgres', async () => {
    await running.database.dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE 'LISTEN%'`,
    );
    await set('VL_CHAT_ENABLED', true);
    await waitUntil(() => settingsOf(worker).isOn('VL_CHAT_ENABLED'));
    await waitUntil(async () => {
      const [listening] = await running.database.dataSource.query<{ count: number }[]>(
        `SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE 'LISTEN%'`,
      );
      return listening!.count === 2;
    });
    await reset('VL_CHAT_ENABLED');
    await waitUntil(() => !settingsOf(worker).isOn('VL_CHAT_ENABLED'));
  });

  it('have the same last value in all processes after concurrent changes', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, at) => set('MAX_NUM_OF_IMAGES', 100 + at)));
    const [stored] = await running.database.dataSource.query<{ value: string }[]>(
      "SELECT value FROM app_setting WHERE key = 'MAX_NUM_OF_IMAGES'",
    );
    const { value } = stored!;
    expect(await get('MAX_NUM_OF_IMAGES')).toBe(value);
    await waitUntil(() => String(settingsOf(worker).number('MAX_NUM_OF_IMAGES')) === value);
    const { entries } = await api.must<{ entries: { details: { from: string; to: string } }[] }>(
      200,
      'GET',
      '/api/v1/admin/audit?subject=MAX_NUM_OF_IMAGES&limit=20',
    );
    const told = entries.map(({ details }) => details);
    expect(told[0]!.to).toBe(value);
    expect(told.slice(0, -1).map(({ from }) => from)).toEqual(told.slice(1).map(({ to }) => to));
    await reset('MAX_NUM_OF_IMAGES');
  });

  it('ignore values stored by another version', async () => {
    await running.database.dataSource.query(
      `INSERT INTO app_setting VALUES ('MAX_NUM_OF_IMAGES', 'many', now(), $1), ('GONE_SETTING', 'x', now(), $1)`,
      ['00000000-0000-0000-0000-000000000001'],
    );
    await set('VL_CHAT_ENABLED', true);
    expect(await get('MAX_NUM_OF_IMAGES')).toBe('100000000');
    await reset('VL_CHAT_ENABLED');
    await running.database.dataSource.query('DELETE FROM app_setting');
  });

  describe('with an effect elsewhere', () => {
    const draft = async (): Promise<string> =>
      (await api.must<{ dataset_id: string }>(200, 'GET', '/api/v1/ingestion/new_dataset?dataset_name=switched'))
        .dataset_id;

    it.each([
      ['ADD_MEDIA_ENABLED', 'POST', '/dataset/ID/add_media', 'Add media feature is not enabled'],
      ['ADD_MEDIA_ENABLED', 'POST', '/dataset/ID/sync', 'Add media feature is not enabled'],
      ['DATASET_SNAPSHOTS_ENABLED', 'GET', '/dataset/ID/snapshot', 'Snapshot feature is not enabled'],
      ['DELETE_DATASET_ENABLED', 'DELETE', '/dataset/ID', 'Delete dataset feature is not enabled'],
      ['DATASET_SHARE_ENABLED', 'PUT', '/manage/ID/invite', 'Dataset sharing feature is not enabled'],
    ])('%s: %s %s', async (key, method, path, detail) => {
      const id = await draft();
      const body = method === 'PUT' ? { grant_to_user_email: 'somebody@example.com' } : undefined;
      const ask = () => api.ask(method, `/api/v1${path.replace('ID', id)}`, body);
      await set(key, false);
      expect(await ask()).toMatchObject({ status: 403, body: { detail } });
      await set(key, true);
      expect((await ask()).status).not.toBe(403);
      await reset(key);
    });

    it('LOG_LEVEL', async () => {
      const standard = PinoLogger.root.level;
      await set('LOG_LEVEL', 'DEBUG');
      expect(PinoLogger.root.level).toBe('debug');
      expect(PinoLogger.root.isLevelEnabled('debug')).toBe(true);
      await set('LOG_LEVEL', 'error');
      expect(PinoLogger.root.level).toBe('error');
      await reset('LOG_LEVEL');
      expect(PinoLogger.root.level).toBe(standard);
    });

    it('MAX_NUM_OF_IMAGES, for later indexing', async () => {
      const folder = join(running.folder, 'three');
      for (const seed of [1, 2, 3]) await writePicture(join(folder, `${seed}.jpg`), seed);
      await set('MAX_NUM_OF_IMAGES', 2);
      await waitUntil(() => settingsOf(worker).number('MAX_NUM_OF_IMAGES') === 2);
      const id = await api.createFromFolder('Too many', folder);
      await expect(api.untilStatus(id, ['READY'])).rejects.toThrow('a dataset may hold 2 files');
      await reset('MAX_NUM_OF_IMAGES');
    });

    it('FRAME_EXTRACTION_RESIZE_HEIGHT, for later frames', async () => {
      if (!(await hasVideoSupport())) return;
      const folder = join(running.folder, 'videos');
      await mkdir(folder);
      await copyFile(join(__dirname, '..', '..', 'fixtures', 'clip.mp4'), join(folder, 'clip.mp4'));
      const index = async (name: string): Promise<unknown> =>
        api.untilStatus(await api.createFromFolder(name, folder), ['READY']);
      await index('As they are');
      await set('FRAME_EXTRACTION_RESIZE_HEIGHT', 72);
      await waitUntil(() => settingsOf(worker).number('FRAME_EXTRACTION_RESIZE_HEIGHT') === 72);
      await index('Smaller');
      await reset('FRAME_EXTRACTION_RESIZE_HEIGHT');
      const frames = join(running.folder, 'data', 'store', 'frames');
      const [video] = await readdir(frames);
      for (const [name, height] of [
        ['output_000001.jpg', 96],
        ['72p/output_000001.jpg', 72],
      ] as const)
        expect(await sharp(join(frames, video!, name)).metadata()).toMatchObject({ height });
    });

    it('SWAP_RGB_CHANNELS_FOR_TIFF_HEIC', async () => {
      const folder = join(running.folder, 'red');
      await mkdir(folder);
      const red = sharp({ create: { width: 64, height: 64, channels: 3, background: '#ff0000' } });
      await writeFile(join(folder, 'red.tif'), await red.tiff().toBuffer());
      await set('SWAP_RGB_CHANNELS_FOR_TIFF_HEIC', true);
      await waitUntil(() => settingsOf(worker).isOn('SWAP_RGB_CHANNELS_FOR_TIFF_HEIC'));
      const id = await api.indexed('Red', folder);
      const datasets = await api.must<{ id: string; thumb_uri: string }[]>(200, 'GET', '/api/v1/datasets');
      const thumbnail = await fetch(datasets.find((each) => each.id === id)!.thumb_uri);
      const { dominant } = await sharp(await thumbnail.arrayBuffer()).stats();
      expect(dominant.b).toBeGreaterThan(200);
      expect(dominant.r).toBeLessThan(50);
      await reset('SWAP_RGB_CHANNELS_FOR_TIFF_HEIC');
    });
  });

  it('require an admin if sign-in is enabled', async () => {
    const closed = await startTestApp({ ...OIDC_VARIABLES, ...sameInstallation(running) });
    try {
      const editor = await signedIn(closed, { email: 'editor@settings.example', role: 'editor' });
      const admin = await signedIn(closed, { email: 'admin@settings.example', role: 'admin' });
      const detail = 'This needs the workspace role admin';
      for (const [method, path] of [
        ['GET', `${PATH}?key=LOG_LEVEL`],
        ['GET', `${PATH}/list`],
        ['POST', PATH],
        ['DELETE', `${PATH}?key=LOG_LEVEL`],
        ['GET', '/api/v1/admin/audit'],
      ] as const) {
        const body = method === 'POST' ? { key: 'LOG_LEVEL', value: 'DEBUG' } : undefined;
        expect(await editor.api.ask(method, path, body)).toMatchObject({ status: 403, body: { detail } });
        expect(await new ApiClient(closed.url).ask(method, path, body)).toMatchObject({ status: 401 });
      }
      expect(await admin.api.must(200, 'GET', `${PATH}?key=DISABLE_AUTH`)).toEqual({ value: 'false' });
    } finally {
      await closed.close();
    }
  });

  it('are available in self-hosted services only', async () => {
    const cloud = await startTestApp({ ...OIDC_VARIABLES, RUN_MODE: 'CLOUD', ...sameInstallation(running) });
    try {
      const admin = await signedIn(cloud, { email: 'admin@cloud.example', role: 'admin' });
      for (const path of [`${PATH}?key=LOG_LEVEL`, `${PATH}/list`, '/api/v1/admin/audit'])
        expect(await admin.api.ask('GET', path)).toMatchObject({
          status: 403,
          body: { detail: 'This is only available in self-hosted installations' },
        });
    } finally {
      await cloud.close();
    }
  });
});
