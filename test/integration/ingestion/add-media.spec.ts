import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { ObjectStoreOutageError } from '../../../src/common/platform/outage/outage';
import type { ObjectStore } from '../../../src/common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../src/common/platform/storage/storage.module';
import { localAdmin } from '../../../src/modules/workspaces';
import { MediaSweep } from '../../../src/modules/ingestion/sweeps/media.sweep';
import { WorkSweep } from '../../../src/modules/ingestion/sweeps/work.sweep';
import { AddUploadedMediaUseCase } from '../../../src/modules/ingestion/add/add-uploaded-media.use-case';
import { filesForm, formOf } from '../../support/api-client';
import { tarOf, zipOf } from '../../support/archive-bytes';
import { multipartBytes, sendPart } from '../../support/broken-request';
import { Additions } from '../../support/additions';
import { pictureBytes, writePicture } from '../../support/pictures';
import { ageKeys, storedKeys } from '../../support/stored-keys';
import { startTestApp, type TestApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

describe('adding media', () => {
  let running: TestApp;
  let additions: Additions;
  let store: string;

  beforeAll(async () => {
    running = await startTestApp({ MAX_UPLOAD_BYTES: '200000', MAX_ARCHIVE_BYTES: '20000000' });
    additions = new Additions(running);
    store = join(running.folder, 'data', 'store');
  });

  afterAll(() => running.close());

  const indexed = async (name: string, seed: number): Promise<string> => {
    await writePicture(join(running.folder, name, 'first.jpg'), seed);
    return additions.api.indexed(name, join(running.folder, name));
  };
  const paths = async (id: string): Promise<string[]> => (await additions.rows(id)).map(({ path }) => path).sort();
  const route = (id: string): string => `/api/v1/dataset/${id}/add_media`;
  const add = (id: string, form: FormData): Promise<unknown> => additions.api.must(202, 'POST', route(id), form);
  const unfinished = (): Promise<string[]> => storedKeys(store, 'staging', '.unfinished');
  const sql = <Row>(text: string): Promise<Row[]> => running.database.dataSource.query<Row[]>(text);
  const sweep = async (): Promise<void> => {
    await ageKeys(store, 'blobs', 'staging');
    await running.app.get(WorkSweep).sweep(new Date());
    await running.app.get(MediaSweep).sweep(new Date());
  };
  const kept = (): Promise<string[]> => storedKeys(store, 'blobs', 'staging', '.unfinished');

  it('accepts files with fields before and after them', async () => {
    const id = await indexed('files', 1);
    const form = formOf({ auto_reindex: '0', batch_n_images: '2' });
    for (const [name, seed] of [
      ['new/a.jpg', 11],
      ['b.jpg', 12],
    ] as const)
      form.append('files', new Blob([new Uint8Array(await pictureBytes(seed))]), name);
    form.append('use_spot', 'TRUE');
    form.append('s3_uri', '');
    expect(await add(id, form)).toBe('');
    expect(await additions.api.must(409, 'POST', route(id), form)).toEqual({
      detail: "Operation 'add_media' is blocked while MEDIA_ADDITION task is running",
    });
    expect(await additions.ended(id)).toMatchObject({ task_type: 'MEDIA_ADDITION', status: 'COMPLETED' });
    expect(await paths(id)).toEqual(['b.jpg', 'first.jpg', 'new/a.jpg']);
    expect((await additions.get(id)).status).toBe('PARTIAL INDEX');
    const [task] = await sql<{ parameters: unknown }>(
      `SELECT parameters FROM task WHERE dataset_id = '${id}' AND type = 'MEDIA_ADDITION'`,
    );
    expect(task!.parameters).toMatchObject({
      autoReindex: false,
      hints: { videos: null, images: 2, objects: null, useSpot: true },
    });
    expect(await unfinished()).toEqual([]);
  });

  it('reindexes immediately if requested', async () => {
    const id = await indexed('reindexed', 2);
    const form = filesForm([{ name: 'a.jpg', bytes: await pictureBytes(13) }]);
    form.append('auto_reindex', 'True');
    await add(id, form);
    await additions.api.untilStatus(id, ['READY']);
    expect(await paths(id)).toEqual(['a.jpg', 'first.jpg']);
  });

  it('adds folders by reference', async () => {
    const id = await indexed('folder', 3);
    await writePicture(join(running.folder, 'folder-more', 'sub', 'c.jpg'), 14);
    await add(
      id,
      formOf({ s3_uri: join(running.folder, 'folder-more'), assume_role: 'arn:aws:iam::123456789012:role/r' }),
    );
    await additions.ended(id);
    expect(await paths(id)).toEqual(['first.jpg', 'sub/c.jpg']);
  });

  it('adds archives, and stores their members', async () => {
    const id = await indexed('archives', 4);
    const large = Buffer.concat([await pictureBytes(15), Buffer.alloc(5_000_000, 7)]);
    const zip = zipOf([
      { name: 'deep/er/a.jpg', bytes: await pictureBytes(16), descriptor: 'narrow' },
      { name: 'deep/large.jpg', bytes: large, isStored: true },
      { name: '__MACOSX/deep/er/._a.jpg', bytes: Buffer.from('x') },
      { name: 'notes.txt', bytes: Buffer.from('x') },
      { name: 'annotations.json', bytes: Buffer.from('{"images":[],"annotations":[],"categories":[]}') },
    ]);
    await add(id, filesForm([{ name: 'all.zip', bytes: zip }], 'archive'));
    await additions.ended(id);
    expect(await paths(id)).toEqual(['deep/er/a.jpg', 'deep/large.jpg', 'first.jpg']);
    const tar = gzipSync(tarOf([{ name: './b.jpg', bytes: await pictureBytes(17) }]));
    await add(id, filesForm([{ name: 'more.tgz', bytes: tar }], 'archive'));
    await additions.ended(id);
    expect(await paths(id)).toEqual(['b.jpg', 'deep/er/a.jpg', 'deep/large.jpg', 'first.jpg']);
    expect(await unfinished()).toEqual([]);
    expect((await storedKeys(store, 'blobs')).filter((key) => /\.(zip|tgz|gz|tar)$/.test(key))).toEqual([]);
  });

  it('succeeds even if its staged copies cannot be removed', async () => {
    const id = await indexed('accepted', 71);
    const outage = new ObjectStoreOutageError('The store went away at the end of the request');
    const remove = jest.spyOn(running.app.get<ObjectStore>(OBJECT_STORE), 'delete').mockRejectedValueOnce(outage);
    await add(id, filesForm([{ name: 'new.jpg', bytes: await pictureBytes(72) }]));
    expect(remove).toHaveBeenCalled();
    remove.mockRestore();
    await additions.ended(id);
    expect(await paths(id)).toEqual(['first.jpg', 'new.jpg']);
    await sweep();
    expect(await storedKeys(store, 'staging')).toEqual([]);
  });

  it('leaves no files behind after a refusal', async () => {
    const id = await indexed('refused', 5);
    await sweep();
    const before = await kept();
    const good = { name: 'good.jpg', bytes: await pictureBytes(18) };
    const mixed = filesForm([good, { name: 'bad.pdf', bytes: Buffer.from('x') }]);
    await additions.api.must(400, 'POST', route(id), mixed);
    await additions.api.must(
      413,
      'POST',
      route(id),
      filesForm([good, { name: 'b.jpg', bytes: Buffer.alloc(200_001) }]),
    );
    const evil = [
      zipOf([good, { name: '../../evil.jpg', bytes: good.bytes }]),
      zipOf([good, { ...good, name: 'link.jpg', mode: 0o120777 }]),
      tarOf([good, { name: 'link.jpg', type: '2' }]),
      tarOf([good, good]),
      zipOf([good]).subarray(0, 2000),
    ];
    for (const archive of evil)
      await additions.api.must(400, 'POST', route(id), filesForm([{ name: 'a.zip', bytes: archive }], 'archive'));
    const bomb = zipOf([good, { name: 'b.bmp', bytes: Buffer.alloc(25_000_000) }]);
    await additions.api.must(413, 'POST', route(id), filesForm([{ name: 'a.zip', bytes: bomb }], 'archive'));
    const both = filesForm([good]);
    both.append('s3_uri', running.folder);
    await additions.api.must(400, 'POST', route(id), both);
    expect(await unfinished()).toEqual([]);
    await sweep();
    expect(await kept()).toEqual(before);
    expect((await additions.get(id)).status).toBe('READY');
    expect(await additions.tasks(id)).toHaveLength(1);
  });

  it('leaves no files behind after an incomplete upload', async () => {
    const id = await indexed('aborted', 6);
    await sweep();
    const before = await kept();
    const pictures = await Promise.all([19, 20, 21].map((seed) => pictureBytes(seed)));
    const files = multipartBytes(pictures.map((bytes, at) => ({ name: 'files', fileName: `${at}.jpg`, bytes })));
    const members = [
      ...pictures.map((bytes, at) => ({ name: `${at}.jpg`, bytes })),
      { name: 'large.jpg', bytes: Buffer.alloc(6_000_000, 5), isStored: true },
    ];
    const archive = multipartBytes([{ name: 'archive', fileName: 'a.zip', bytes: zipOf(members) }]);
    for (const body of [files, archive])
      for (const part of [0, 0.01, 0.3, 0.6, 0.9, 0.999])
        await sendPart(running.url, route(id), body, Math.floor(body.length * part));
    await sendPart(running.url, route(id), archive, archive.length - 3);
    // The service may still be processing the data that arrived before it noticed.
    await waitUntil(async () => {
      await sweep();
      return (await kept()).join() === before.join();
    });
    const [{ open } = { open: 0 }] = await sql<{ open: number }>(
      `SELECT count(*)::int AS open FROM upload_transaction WHERE dataset_id = '${id}'`,
    );
    expect(open).toBe(0);
    expect((await additions.get(id)).status).toBe('READY');
  });

  it('protects a blob from sweeps before anything refers to it', async () => {
    const id = await indexed('swept', 7);
    const bytes = await pictureBytes(22);
    const archive = filesForm(
      [{ name: 'a.zip', bytes: zipOf([{ name: 'x.txt' }, { name: 'a.jpg', bytes }, { name: '../x' }]) }],
      'archive',
    );
    await additions.api.must(400, 'POST', route(id), archive);
    await ageKeys(store, 'blobs');
    const received = running.app.get(AddUploadedMediaUseCase).open('a user');
    received.accept({ field: 'archive', clientName: 'a.zip' });
    const stream = Readable.from([zipOf([{ name: 'a.jpg', bytes }])]);
    await received.take({ field: 'archive', clientName: 'a.zip', stream });
    await running.app.get(MediaSweep).sweep(new Date());
    expect(received.uploads.map(({ stagingKey }) => stagingKey)).toEqual([expect.any(String)]);
    const hints = { videos: null, images: null, objects: null, useSpot: null };
    const caller = localAdmin();
    await running.app.get(AddUploadedMediaUseCase).start(id, received.uploads, { autoReindex: false, hints }, caller);
    await received.discardStaged();
    await additions.ended(id);
    expect(await paths(id)).toEqual(['a.jpg', 'first.jpg']);
    expect(await unfinished()).toEqual([]);
    const { source } = (await additions.rows(id)).find(({ path }) => path === 'a.jpg')!;
    expect(await kept()).toContain(source.slice('store:'.length));
  });

  it('returns 403 if the feature is disabled', async () => {
    const strict = await startTestApp({ ADD_MEDIA_ENABLED: 'false' });
    try {
      const { api } = new Additions(strict);
      await writePicture(join(strict.folder, 'source', 'a.jpg'), 1);
      const id = await api.createFromFolder('Strict', join(strict.folder, 'source'));
      expect(await api.must(403, 'POST', route(id), formOf({ s3_uri: strict.folder }))).toEqual({
        detail: 'Add media feature is not enabled',
      });
    } finally {
      await strict.close();
    }
  });
});
