import { chown, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { appSchema } from '../support/test-app';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { Container, podman, runCommand, testImage, USER, type ContainerOptions } from './container';

const FIXTURES = join(__dirname, '..', 'fixtures');
const MAX_BYTES = 700e6;

async function makeMedia(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o755 });
  for (const name of ['clip.mp4', 'shapes.heic', 'shapes.jp2'])
    await copyFile(join(FIXTURES, name), join(folder, name));
  const noise = sharp({
    create: {
      width: 320,
      height: 240,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 120, sigma: 40 },
    },
  });
  await writeFile(join(folder, 'noise.jpg'), await noise.jpeg().toBuffer());
}

describe('the image', () => {
  let folder: string;
  let database: TestDatabase;
  let container: Container;
  const cleanups: (() => Promise<void>)[] = [];
  let readySeconds: number;

  const place = async (name: string): Promise<string> => {
    const path = join(folder, name);
    await mkdir(path, { mode: 0o700 });
    await chown(path, USER, USER);
    return path;
  };
  const withDatabase = (dataDir: string): ContainerOptions => ({
    dataDir,
    mounts: { '/media': join(folder, 'media') },
    env: { HOST: '127.0.0.1', DATABASE_URL: database.url, MEDIA_ROOTS: '/media', WORKER_CONCURRENCY: '2' },
  });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-image-'));
    cleanups.push(() => rm(folder, { recursive: true, force: true }));
    await makeMedia(join(folder, 'media'));
    database = await createTestDatabase(appSchema);
    cleanups.push(() => database.drop());
    const started = performance.now();
    container = await Container.start(withDatabase(await place('data')));
    cleanups.push(() => container.remove());
    readySeconds = (performance.now() - started) / 1000;
  });

  afterAll(async () => {
    for (const clean of cleanups.reverse()) await clean();
  });

  it(`is smaller than ${MAX_BYTES / 1e6} MB unpacked`, async () => {
    const bytes = Number(await podman('image', 'inspect', testImage(), '--format', '{{.Size}}'));
    console.log(`${(bytes / 1e6).toFixed(0)} MB unpacked; ready ${readySeconds.toFixed(1)} s after it was started`);
    expect(bytes).toBeLessThan(MAX_BYTES);
  });

  it('has a numeric user and a version label', async () => {
    const { User, Labels } = JSON.parse(
      await podman('image', 'inspect', testImage(), '--format', '{{json .Config}}'),
    ) as { User: string; Labels: Record<string, string> };
    const { version } = JSON.parse(await container.exec('cat', '/app/package.json')) as { version: string };
    expect(User).toBe(`${USER}:${USER}`);
    expect(Labels).toMatchObject({
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.licenses': 'Apache-2.0',
    });
  });

  it('contains its notices and its bill of materials', async () => {
    expect(await container.exec('head', '-n', '1', '/app/THIRD-PARTY.md')).toBe('# Third-party software');
    const sbom = JSON.parse(await container.exec('cat', '/app/sbom.cdx.json')) as {
      bomFormat: string;
      components: readonly { name: string }[];
    };
    expect(sbom.bomFormat).toBe('CycloneDX');
    expect(sbom.components.map(({ name }) => name)).toContain('sharp');
  });

  it('does not run as root, and cannot change its own files', async () => {
    expect(await container.exec('id', '-u')).toBe(String(USER));
    await expect(container.exec('touch', '/app/dist/main.js')).rejects.toThrow(
      /Permission denied|Read-only file system/,
    );
    await expect(container.exec('touch', '/usr/local/new')).rejects.toThrow(/Permission denied|Read-only file system/);
  });

  it('passes its own health check', async () => {
    await expect(container.healthCheck()).resolves.toBeDefined();
    const { body } = await container.api.ask('GET', '/health/ready');
    expect(body).toEqual({
      status: 'ok',
      parts: { postgres: 'up', store: 'up', models: 'up' },
      facts: { IMAGE_MODEL: 'photographs_v00', TEXT_MODEL: 'hashed-words_v00' },
    });
  });

  it('indexes pictures of all decoders and a video of a mounted folder', async () => {
    const { api } = container;
    const id = await api.createFromFolder('mounted', '/media');
    const dataset = await api.untilStatus(id, ['READY']).catch(async (error: unknown) => {
      throw new Error(await container.logs(), { cause: error });
    });
    expect(dataset).toMatchObject({ status_new: 'READY', n_images: 3, n_videos: 1 });
    const { body } = await api.ask('GET', `/api/v1/dataset/${id}/quarantine`);
    expect(JSON.stringify(body)).not.toMatch(/no_video_support|unreadable/);
  });

  it('describes its API', async () => {
    expect((await container.api.ask('GET', '/api/v1/docs/')).status).toBe(200);
    expect((await container.api.ask('GET', '/api/v1/openapi.json')).status).toBe(200);
  });

  it('runs the built-in models', async () => {
    const options = withDatabase(await place('models'));
    const list = await runCommand(options, 'node', 'dist/commands/models.js', 'list');
    expect(list).toContain('drawn-world_captioner_v00');
    for (const model of ['fixed-filters_v01', 'drawn-world_captioner_v00', 'drawn-world_image-text-encoder_v00']) {
      const checked = await runCommand(
        options,
        'node',
        'dist/commands/models.js',
        'check',
        `models/${model}`,
        '--pictures',
        '/media',
      );
      expect(checked).toContain(model);
    }
  });

  it('has the recommended models', async () => {
    const available = await runCommand(
      withDatabase(await place('available')),
      'node',
      'dist/commands/models.js',
      'available',
    );
    const recommended = available.split('\n').filter((line) => line.includes('(set photographs)'));
    expect(recommended).not.toEqual([]);
    for (const line of recommended) expect(line).toMatch(/^\S+ +installed /);
  });

  it('ends cleanly on SIGTERM, and its commands work with the remaining data', async () => {
    const options = withDatabase(join(folder, 'data'));
    expect(await container.terminate()).toBe(0);
    expect(await runCommand(options, 'node', 'dist/commands/rotate-secret-key.js')).toContain('secrets were resealed');
    await runCommand(options, 'node', 'dist/commands/adopt-store.js');
    await runCommand(options, 'node', 'dist/commands/migrate.js');
  });

  it('runs with the embedded Postgres without any variable', async () => {
    const alone = await Container.start({ dataDir: await place('alone') });
    try {
      await alone.healthCheck();
      expect(await alone.terminate()).toBe(0);
    } finally {
      await alone.remove();
    }
  });
});
