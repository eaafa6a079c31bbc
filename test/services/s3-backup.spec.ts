import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createStorage } from '../../src/common/platform/storage/create-storage';
import type { ObjectStore } from '../../src/common/platform/storage/object-store';
import { makeBackup } from '../../src/maintenance/backup/make-backup';
import { restoreBackup } from '../../src/maintenance/backup/restore-backup';
import { verifyInstallation } from '../../src/maintenance/verify/verify-installation';
import { ApiClient } from '../support/api-client';
import { answersOf, emptyPlace, fillInstallation, type EmptyPlace, type Filled } from '../support/backed-up';
import { appSchema, startTestApp } from '../support/test-app';
import { makeBucket, testS3 } from './s3-environment';

const silent = (): void => undefined;

async function keysOf(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  let after: string | undefined;
  do {
    const page = await store.list(prefix, after === undefined ? {} : { after });
    keys.push(...page.objects.map(({ key }) => key));
    after = page.next;
  } while (after !== undefined);
  return keys;
}

describe('a backup of an installation whose store is in S3', () => {
  let filled: Filled;
  let place: string;
  const empties: EmptyPlace[] = [];

  /** Variables of an installation with a store in a separate bucket. */
  const variables = async (): Promise<Record<string, string>> => {
    const { endpoint, region, accessKey, secretKey } = testS3();
    return {
      STORAGE_URL: `s3://${await makeBucket()}/service`,
      S3_ENDPOINT: endpoint,
      S3_REGION: region,
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
    };
  };

  const empty = async (where: Readonly<Record<string, string>>): Promise<EmptyPlace> => {
    const made = await emptyPlace(filled.secretKey, where);
    empties.push(made);
    return made;
  };

  const restore = ({ configuration }: EmptyPlace) =>
    restoreBackup({ configuration, schema: appSchema, place, print: silent });

  const answersOn = async (there: EmptyPlace, where: Readonly<Record<string, string>>) => {
    const restored = await startTestApp(
      { DATA_DIR: join(there.folder, 'data'), SECRET_KEY: filled.secretKey, ...where },
      undefined,
      () => Promise.resolve(there.database.url),
    );
    try {
      return await answersOf(new ApiClient(restored.url));
    } finally {
      await restored.close();
    }
  };

  const findingsIn = async ({ configuration }: Pick<EmptyPlace, 'configuration'>): Promise<string[]> => {
    const found: string[] = [];
    await verifyInstallation({
      configuration,
      quick: false,
      found: ({ object }) => found.push(object),
      waiting: silent,
    });
    return found;
  };

  beforeAll(async () => {
    filled = await fillInstallation(await variables());
    place = `s3://${await makeBucket()}/backups`;
  });

  afterAll(async () => {
    for (const made of empties) await made.remove();
    await filled.app.close();
  });

  it('is restored to another bucket, with the same responses and nothing missing', async () => {
    const before = await answersOf(filled.api);
    const made = await makeBackup({ configuration: filled.configuration, place, print: silent });
    expect(made).toMatchObject({ missing: [], kept: 0 });
    expect(made.copied).toBeGreaterThan(20);
    const where = await variables();
    const there = await empty(where);
    expect(await restore(there)).toMatchObject({ id: made.id, rows: made.rows, objects: made.copied });
    expect(await findingsIn(there)).toEqual([]);
    expect(await answersOn(there, where)).toEqual(before);
  });

  it('can be restored to a folder', async () => {
    const before = await answersOf(filled.api);
    const bucketsOnly = { ...(await variables()), STORAGE_URL: '' };
    const there = await empty(bucketsOnly);
    await restore(there);
    expect(await findingsIn(there)).toEqual([]);
    expect(await answersOn(there, bucketsOnly)).toEqual(before);
  });

  it('copies only objects that an earlier backup lacks', async () => {
    const again = await makeBackup({ configuration: filled.configuration, place, print: silent });
    expect(again).toMatchObject({ missing: [], copied: 0 });
    expect(again.kept).toBeGreaterThan(20);
  });

  it('lists missing and damaged objects in the bucket, and is not restored from a damaged copy', async () => {
    const { store } = createStorage(filled.configuration);
    const [gone, damaged] = await keysOf(store, 'blobs/');
    const kept = await buffer(await store.get(damaged!));
    const missing = await buffer(await store.get(gone!));
    await store.delete([gone!]);
    await store.put(damaged!, Buffer.from(kept).fill(7, 10, 20));
    try {
      expect((await findingsIn(filled)).sort()).toEqual([gone!, damaged!].sort());
      const made = await makeBackup({ configuration: filled.configuration, place, print: silent });
      expect(made.missing).toEqual([gone]);
    } finally {
      await store.put(damaged!, kept);
      await store.put(gone!, missing);
    }
    await makeBackup({ configuration: filled.configuration, place, print: silent });
    const target = createStorage({ ...filled.configuration, storageUrl: place }).store;
    const [copy] = await keysOf(target, 'objects/');
    const bytes = await buffer(await target.get(copy!));
    await target.put(copy!, Buffer.from(bytes).reverse());
    await expect(restore(await empty(await variables()))).rejects.toThrow(/damaged|differs|checksum/i);
  });
});
