import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { mkdir, mkdtemp, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import request from 'supertest';
import { waitUntil } from '../../../../../test/support/wait-until';
import { ErrorFilter } from '../../http/error.filter';
import { createStorage, type Storage } from '../create-storage';
import type { SignedUrlOptions } from '../object-store';
import { SignedMediaController } from './signed-media.controller';
import { MediaSources } from '../sources/source-files';
import { fileSource } from '../sources/source-location';
import { signedMediaUrl, UrlSigner } from './url-signer';

const BASE_URL = 'http://media.test';
const HOUR: SignedUrlOptions = { expiresInSeconds: 3600 };
const DIGITS = Buffer.from('0123456789');
let folder: string;
let storage: Storage;
let app: NestExpressApplication;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signed-media-'));
  await mkdir(join(folder, 'media'));
  storage = createStorage({
    storageUrl: `file://${folder}/store`,
    s3: null,
    mediaRoots: [join(folder, 'media')],
    mediaBuckets: [],
    secretKey: Buffer.alloc(32, 3),
    baseUrl: BASE_URL,
  });
  const module = await Test.createTestingModule({
    controllers: [SignedMediaController],
    providers: [
      { provide: MediaSources, useValue: storage.sources },
      { provide: UrlSigner, useValue: storage.signer },
    ],
  }).compile();
  app = module.createNestApplication<NestExpressApplication>();
  app.useLogger(false);
  app.useGlobalFilters(new ErrorFilter());
  await app.listen(0, '127.0.0.1');
});

afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const pathOf = (url: string): string => url.slice(BASE_URL.length);
const connections = (): Promise<number> => {
  const server = app.getHttpServer();
  return promisify(server.getConnections.bind(server))();
};
const agent = () => request(app.getHttpServer());
const get = (url: string) => agent().get(pathOf(url)).buffer(true).parse(whole);
const urlOf = (key: string, options = HOUR) => storage.store.signedUrl(key, options);

function whole(response: request.Response, done: (error: Error | null, body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  const stream = response as unknown as NodeJS.ReadableStream;
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => done(null, Buffer.concat(chunks)));
}

describe('a signed URL of the store', () => {
  it('closes the file if the client disconnects while it is being opened', async () => {
    await storage.store.put('media/ab/gone.jpg', DIGITS);
    const path = pathOf(await urlOf('media/ab/gone.jpg'));
    const { port } = app.getHttpServer().address() as AddressInfo;
    const client = connect(port, '127.0.0.1', () => client.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`));
    const open = storage.sources.open.bind(storage.sources);
    let opened: Readable | undefined;
    const opening = jest.spyOn(storage.sources, 'open').mockImplementation(async (source, range) => {
      client.destroy();
      await waitUntil(async () => (await connections()) === 0);
      opened = await open(source, range);
      return opened;
    });
    try {
      await waitUntil(() => opened?.closed === true);
    } finally {
      opening.mockRestore();
    }
  });

  it('serves the bytes inline with their type, cached privately', async () => {
    await storage.store.put('media/ab/a b+c.jpg', DIGITS);
    const answer = await get(await urlOf('media/ab/a b+c.jpg')).expect(200);
    expect(answer.body).toEqual(DIGITS);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': '10',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      'content-disposition': `inline; filename="a b+c.jpg"; filename*=UTF-8''a%20b%2Bc.jpg`,
    });
    expect(answer.headers['cache-control']).toMatch(/^private, max-age=\d+$/);
  });

  it('uses the type and the name in the signed URL', async () => {
    await storage.store.put('exports/1', DIGITS);
    const url = await urlOf('exports/1', { ...HOUR, contentType: 'application/zip', downloadName: 'größe.zip' });
    const answer = await get(url).expect(200);
    expect(answer.headers['content-type']).toBe('application/zip');
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="gr__e.zip"; filename*=UTF-8''gr%C3%B6%C3%9Fe.zip`,
    );
  });

  it.each(['evil.svg', 'evil.html', 'evil.xhtml', 'evil', 'data.json'])('never displays %s inline', async (name) => {
    await storage.store.put(name, Buffer.from('<script>alert(1)</script>'));
    const answer = await get(await urlOf(name)).expect(200);
    expect(answer.headers['content-disposition']).toMatch(/^attachment/);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([
    ['bytes=0-0', '0', 'bytes 0-0/10'],
    ['bytes=2-5', '2345', 'bytes 2-5/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=5-99', '56789', 'bytes 5-9/10'],
  ])('serves the range %s', async (range, bytes, contentRange) => {
    await storage.store.put('digits.mp4', DIGITS);
    const answer = await get(await urlOf('digits.mp4'))
      .set('Range', range)
      .expect(206);
    expect(String(answer.body)).toBe(bytes);
    expect(answer.headers['content-range']).toBe(contentRange);
    expect(answer.headers['content-length']).toBe(String(bytes.length));
  });

  it('rejects a range beyond the end', async () => {
    await storage.store.put('digits.mp4', DIGITS);
    const answer = await agent()
      .get(pathOf(await urlOf('digits.mp4')))
      .set('Range', 'bytes=10-')
      .expect(416);
    expect(answer.headers['content-range']).toBe('bytes */10');
    expect(answer.body).toEqual({ detail: 'The file has 10 bytes; the range is outside' });
  });

  it.each(['bytes=0-1,4-5', 'lines=1-2', 'bytes=nonsense'])('serves the whole file for %s', async (range) => {
    await storage.store.put('digits.mp4', DIGITS);
    expect(
      (
        await get(await urlOf('digits.mp4'))
          .set('Range', range)
          .expect(200)
      ).body,
    ).toEqual(DIGITS);
  });

  it('serves the whole new version if the range is of an older version', async () => {
    await storage.store.put('changing.mp4', DIGITS);
    const url = await urlOf('changing.mp4');
    const { etag } = (await get(url)).headers;
    await get(url).set('Range', 'bytes=0-1').set('If-Range', String(etag)).expect(206);
    await storage.store.put('changing.mp4', Buffer.from('new and longer'));
    await get(url).set('Range', 'bytes=0-1').set('If-Range', String(etag)).expect(200);
  });

  it('serves HEAD without a body, and 304 for a matching etag', async () => {
    await storage.store.put('seen.png', DIGITS);
    const url = await urlOf('seen.png');
    const head = await agent().head(pathOf(url)).expect(200);
    expect(head.headers['content-length']).toBe('10');
    expect(head.text).toBeUndefined();
    await agent().get(pathOf(url)).set('If-None-Match', String(head.headers.etag)).expect(304);
    await agent().get(pathOf(url)).set('If-None-Match', '"other"').expect(200);
  });

  it('serves an empty file', async () => {
    await storage.store.put('empty.jpg', Buffer.alloc(0));
    const answer = await get(await urlOf('empty.jpg')).expect(200);
    expect(answer.headers['content-length']).toBe('0');
  });

  it('rejects wrong signatures, other keys and expired links', async () => {
    await storage.store.put('secret.jpg', DIGITS);
    const url = await urlOf('secret.jpg');
    const wrong = { detail: 'The link is not valid' };
    for (const changed of [
      url.replace('secret', 'other'),
      url.replace(/signature=.{5}/, 'signature=AAAAA'),
      url.replace(/\?.*/, ''),
      url.replace('/store/', '/file/'),
    ]) {
      expect((await agent().get(pathOf(changed)).expect(403)).body).toEqual(wrong);
    }
    const longAgo = new UrlSigner(Buffer.alloc(32, 3), () => Date.now() - 7_200_000);
    const expired = signedMediaUrl(longAgo, BASE_URL, { kind: 'store', path: 'secret.jpg' }, HOUR);
    expect((await agent().get(pathOf(expired)).expect(403)).body).toEqual({ detail: 'The link has expired' });
    expect((await agent().get('/api/v1/media/other/secret.jpg').expect(403)).body).toEqual(wrong);
  });

  it('reports a missing file', async () => {
    expect(
      (
        await agent()
          .get(pathOf(await urlOf('gone.jpg')))
          .expect(404)
      ).body,
    ).toEqual({ detail: 'The file is no longer there' });
  });

  it('tolerates a client that disconnects', async () => {
    await storage.store.put('large.mp4', Buffer.alloc(8 * 1024 * 1024));
    const { port } = app.getHttpServer().address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}${pathOf(await urlOf('large.mp4'))}`);
    await answer.body!.cancel();
    await get(await urlOf('large.mp4')).expect(200);
  });
});

describe('a signed URL of a local file', () => {
  it.each(['plain.jpg', 'we ird\'"&#?%.jpg', 'new\nline.jpg', 'übung 日本 😀.jpg', '50%25.jpg', 'back\\slash.jpg'])(
    'serves %j',
    async (name) => {
      const path = join(folder, 'media', name);
      await writeFile(path, name);
      const answer = await get(await storage.sources.signedSourceUrl(fileSource(path), HOUR)).expect(200);
      expect(String(answer.body)).toBe(name);
      expect(answer.headers['content-type']).toBe('image/jpeg');
    },
  );

  it('rejects a local path even if it is signed', async () => {
    const path = join(folder, 'media', 'plain-path.jpg');
    await writeFile(path, 'picture');
    const signed = storage.signer.sign(`file${path}`, HOUR);
    expect((await agent().get(`/api/v1/media/file${path}?${signed}`).expect(403)).body).toEqual({
      detail: 'The link is not valid',
    });
  });

  it('checks again whether the resolved path is allowed', async () => {
    const path = join(folder, 'media', 'later-a-link.jpg');
    await writeFile(path, 'picture');
    await writeFile(join(folder, 'secret.jpg'), 'secret');
    const url = await storage.sources.signedSourceUrl(fileSource(path), HOUR);
    await get(url).expect(200);
    await unlink(path);
    await symlink(join(folder, 'secret.jpg'), path);
    expect((await agent().get(pathOf(url)).expect(403)).body).toEqual({
      detail: 'The service is not allowed to read the file',
    });
  });
});
