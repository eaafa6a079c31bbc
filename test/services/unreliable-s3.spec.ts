import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import pMap from 'p-map';
import { outageOf } from '../../src/common/platform/outage/outage';
import { ObjectExistsError, ObjectNotFoundError } from '../../src/common/platform/storage/object-store';
import { S3ObjectStore } from '../../src/common/platform/storage/s3/s3-object-store';
import { ApiClient, filesForm } from '../support/api-client';
import { LongRun } from '../support/long-run';
import { pictureBytes, writePicture } from '../support/pictures';
import { SnapshotClient } from '../support/snapshot-client';
import { startTestApp, type TestApp } from '../support/test-app';
import { makeBucket, testS3 } from './s3-environment';
import { UnreliableProxy } from './unreliable-proxy';

const COMMITS = Number(process.env['COMMITS'] ?? 60);
const ADDITIONS = Number(process.env['ADDITIONS'] ?? 4);
const SEED = Number(process.env['SEED'] ?? 1);
const WRITERS = 4;
/** The number of versions written concurrently, because slow and repeated requests are waited for. */
const AT_ONCE = 16;
const AGAIN_MS = 500;

describe('an S3 store that rejects, loses, delays and truncates responses', () => {
  let proxy: UnreliableProxy;
  let bucket: string;

  beforeEach(async () => {
    proxy = await UnreliableProxy.before(testS3().endpoint, SEED);
    bucket = await makeBucket();
  });

  afterEach(() => proxy.close());

  it(
    `keeps each of ${COMMITS} commits of several writers intact, with the right results`,
    async () => {
      const store = new S3ObjectStore({
        connection: { ...testS3(), endpoint: proxy.url },
        bucket,
        prefix: '',
        outageLog: undefined,
      });
      const reliable = new S3ObjectStore({ connection: testS3(), bucket, prefix: '' });
      const [committed, uncertain] = [new Map<string, string>(), new Map<string, Set<string>>()];
      const readWhole = async (key: string): Promise<string | undefined> => {
        try {
          return (await buffer(await store.get(key))).toString();
        } catch (error) {
          // The object may not have been written yet.
          if (error instanceof ObjectNotFoundError) expect(committed.has(key)).toBe(false);
          else expect(outageOf(error)).toBeDefined();
          return undefined;
        }
      };
      const commit = async (version: number, writer: string): Promise<void> => {
        const key = `versions/${version}`;
        const body = `${writer} ${'x'.repeat(version % 2_000)}`;
        try {
          await store.put(key, Buffer.from(body), { ifAbsent: true });
          expect(committed.has(key)).toBe(false);
          committed.set(key, body);
        } catch (error) {
          if (error instanceof ObjectExistsError) return;
          expect(outageOf(error)).toBeDefined();
          uncertain.set(key, (uncertain.get(key) ?? new Set()).add(body));
          // Like jobs, which wait for the store.
          await delay(AGAIN_MS);
        }
        const read = await readWhole(key);
        if (read !== undefined && committed.has(key)) expect(read).toBe(committed.get(key));
      };
      const check = async (version: number): Promise<void> => {
        const key = `versions/${version}`;
        const found = await reliable.head(key);
        if (found === undefined) {
          expect(committed.has(key)).toBe(false);
          return;
        }
        const body = (await buffer(await reliable.get(key))).toString();
        if (committed.has(key)) expect(body).toBe(committed.get(key));
        else expect(uncertain.get(key)?.has(body)).toBe(true);
      };
      const run = new LongRun(COMMITS, 'commits');
      const versions = Array.from({ length: COMMITS }, (_, version) => version);
      proxy.isReliable = false;
      const compete = async (version: number): Promise<void> => {
        await Promise.all(Array.from({ length: WRITERS }, () => commit(version, randomUUID())));
        run.advance();
      };
      await pMap(versions, compete, { concurrency: AT_ONCE });
      proxy.isReliable = true;
      await pMap(versions, check, { concurrency: AT_ONCE });
      expect(committed.size).toBeGreaterThan(COMMITS / 2);
      for (const mishap of ['refused', 'reply lost', 'slow', 'cut'] as const)
        expect(proxy.mishaps.get(mishap) ?? 0).toBeGreaterThan(0);
    },
    60_000 + COMMITS * 2_000,
  );

  describe('of the service', () => {
    let running: TestApp;

    beforeEach(async () => {
      const { region, accessKey, secretKey } = testS3();
      running = await startTestApp({
        STORAGE_URL: `s3://${bucket}`,
        S3_ENDPOINT: proxy.url,
        S3_REGION: region,
        S3_ACCESS_KEY: accessKey,
        S3_SECRET_KEY: secretKey,
      });
    });

    afterEach(async () => {
      proxy.isReliable = true;
      await running.close();
    });

    it(
      `completes indexing and ${ADDITIONS} additions`,
      async () => {
        const api = new ApiClient(running.url);
        for (const seed of [1, 2, 3]) await writePicture(join(running.folder, 'source', `${seed}.jpg`), seed);
        proxy.isReliable = false;
        /** Repeats requests that return 503. Any other response ends it. */
        const insist = async (method: string, path: string, form?: () => FormData): Promise<number> => {
          for (;;) {
            const { status } = await api.ask(method, path, form?.());
            if (status !== 503) return status;
          }
        };
        const id = await api.createFromFolder('Unreliable', join(running.folder, 'source'));
        const untilIdle = async (): Promise<void> => {
          for (;;) {
            const { status, body } = await api.ask('GET', `/api/v1/dataset/${id}`);
            if (status !== 200) expect(status).toBe(503);
            else if (['READY', 'PARTIAL INDEX'].includes((body as { status_new: string }).status_new)) return;
            else expect(body).toMatchObject({ fatal_error_msg: null });
          }
        };
        await untilIdle();
        for (let at = 0; at < ADDITIONS; at += 1) {
          const file = { name: `added-${at}.jpg`, bytes: await pictureBytes(10 + at) };
          expect(await insist('POST', `/api/v1/dataset/${id}/add_media`, () => filesForm([file]))).toBe(202);
          await untilIdle();
        }
        proxy.isReliable = true;
        const dataset = await new SnapshotClient(api).dataset(id);
        expect(dataset).toMatchObject({ n_images: 3 + ADDITIONS, fatal_error_msg: null });
        const { tasks } = await api.must<{ tasks: { status: string; quarantined_count: number }[] }>(
          200,
          'GET',
          `/api/v1/tasks?dataset_id=${id}&limit=1000`,
        );
        expect(new Set(tasks.map(({ status }) => status))).toEqual(new Set(['COMPLETED']));
        const { clusters } = await api.must<{
          clusters: { n_images: number; previews: { media_thumb_uri: string }[] }[];
        }>(200, 'GET', `/api/v1/explore/${id}?threshold=0`);
        expect(clusters.reduce((sum, { n_images }) => sum + n_images, 0)).toBe(3 + ADDITIONS);
        for (const { previews } of clusters)
          for (const { media_thumb_uri: uri } of previews) expect((await fetch(uri)).status).toBe(200);
      },
      120_000 + ADDITIONS * 60_000,
    );
  });
});
