import { Global, Logger, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../test/support/program';
import { waitUntil } from '../../../../test/support/wait-until';
import { createStorage, type StorageConfig } from './create-storage';
import { FolderObjectStore } from './folder/folder-object-store';
import type { ObjectStore } from './object-store';
import { S3ObjectStore } from './s3/s3-object-store';
import { MediaSources } from './sources/source-files';
import { OBJECT_STORE, STORAGE_CONFIG, StorageModule, waitForStore } from './storage.module';

let folder: string;
const s3 = { endpoint: 'http://127.0.0.1:9', region: 'us-east-1', accessKey: 'key', secretKey: 'secret-key' };
const configOf = (storageUrl: string, connection: StorageConfig['s3'] = null): StorageConfig => ({
  storageUrl,
  s3: connection,
  mediaRoots: [],
  mediaBuckets: [],
  secretKey: Buffer.alloc(32),
  baseUrl: 'http://127.0.0.1:3000',
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storage-module-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function boot(config: StorageConfig) {
  @Global()
  @Module({ providers: [{ provide: STORAGE_CONFIG, useValue: config }], exports: [STORAGE_CONFIG] })
  class ConfigModule {}
  const module = await Test.createTestingModule({ imports: [ConfigModule, StorageModule] }).compile();
  return module.init();
}

describe('StorageModule', () => {
  it('provides the store and the sources, and creates the folder at startup', async () => {
    const module = await boot(configOf(`file://${folder}/with%20space/store`));
    expect(module.get<ObjectStore>(OBJECT_STORE).localPath('a/b')).toMatch(/a\/b$/);
    expect(module.get(MediaSources)).toBeInstanceOf(MediaSources);
    expect(module.get<FolderObjectStore>(OBJECT_STORE).localPath('a')).toBe(join(folder, 'with space', 'store', 'a'));
    await module.close();
  });

  it('does not start with a store that cannot be used', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(boot(configOf(`file://${folder}/file`))).rejects.toThrow(/can't be used as the store/);
  });

  it('waits for a store that does not respond, logs the wait, and fails if the store refuses', async () => {
    const lines: string[] = [];
    const note = (line: string) => lines.push(line);
    Logger.overrideLogger({ log: note, warn: note, error: note });
    const port = await freePort();
    const { store } = createStorage(configOf('s3://bucket', { ...s3, endpoint: `http://127.0.0.1:${port}` }));
    const waiting = waitForStore(store).catch((error: unknown) => error);
    await waitUntil(() => lines.length > 0);
    const server = createServer((_request, response) => {
      response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error><Code>AccessDenied</Code></Error>');
    }).listen(port, '127.0.0.1');
    expect(String(await waiting)).toMatch(/refuses the access key for the bucket bucket \(AccessDenied\)\.$/);
    expect(lines[0]).toMatch(/^Waiting for the store since .*: The S3 store at .* can't be used: .*ECONNREFUSED/);
    Logger.overrideLogger(false);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('createStorage', () => {
  it.each([
    ['s3://bucket', 's3://bucket/g'],
    ['s3://bucket/', 's3://bucket/g'],
    ['s3://bucket/some/prefix/', 's3://bucket/some/prefix/g'],
  ])('accepts %s', (url, lance) => {
    const { store } = createStorage(configOf(url, s3));
    expect(store).toBeInstanceOf(S3ObjectStore);
    expect(store.lanceLocation('g')).toMatchObject({
      uri: lance,
      storageOptions: {
        endpoint: s3.endpoint,
        region: s3.region,
        access_key_id: s3.accessKey,
        secret_access_key: s3.secretKey,
        conditional_put: 'etag',
        allow_http: 'true',
      },
    });
  });

  it('rejects an invalid STORAGE_URL', () => {
    expect(() => createStorage(configOf('ftp://x'))).toThrow(
      'STORAGE_URL=ftp://x is not valid: use file:///folder or s3://bucket[/prefix].',
    );
    expect(() => createStorage(configOf('s3://bucket'))).toThrow(
      'STORAGE_URL=s3://bucket requires the connection settings of its S3 store.',
    );
  });
});
