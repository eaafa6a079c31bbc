import {
  InstallationEntity,
  InstallationRepository,
} from '../../src/common/platform/installation/persistence/installation.repository';
import { StoreIdentity } from '../../src/common/platform/installation/store-identity';
import { S3ObjectStore } from '../../src/common/platform/storage/s3/s3-object-store';
import { storeContents } from '../../src/modules/ingestion';
import { appSchema } from '../support/test-app';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { makeBucket, testS3 } from './s3-environment';

describe('a bucket', () => {
  const databases: TestDatabase[] = [];

  afterAll(() => Promise.all(databases.map((database) => database.drop())));

  const installation = async (): Promise<(bucket: string) => StoreIdentity> => {
    const database = await createTestDatabase(appSchema);
    databases.push(database);
    return (bucket) => {
      const store = new S3ObjectStore({ connection: testS3(), bucket, prefix: 'service' });
      const installations = new InstallationRepository(database.dataSource.getRepository(InstallationEntity));
      const contents = storeContents(store, database.transactions);
      return new StoreIdentity({ store, storageUrl: `s3://${bucket}/service`, installations, contents });
    };
  };

  it('belongs to the first of several installations that start concurrently, with all its processes', async () => {
    const [ours, theirs] = [await installation(), await installation()];
    const bucket = await makeBucket();
    const starts = [ours, ours, ours, theirs, theirs, theirs].map((identity) => identity(bucket).claim());
    const ends = (await Promise.allSettled(starts)).map(({ status }) => status);
    expect(ends.filter((status) => status === 'fulfilled')).toHaveLength(3);
    expect(new Set(ends.slice(0, 3)).size).toBe(1);
    const [owner, other] = ends[0] === 'fulfilled' ? [ours, theirs] : [theirs, ours];
    await expect(owner(bucket).claim()).resolves.toBeUndefined();
    await expect(other(bucket).claim()).rejects.toThrow(/belongs to another installation/);
    await expect(owner(await makeBucket()).claim()).rejects.toThrow(/lacks the mark/);
  });

  it('with data but without a mark is refused to an empty database, and can be adopted by command', async () => {
    const identity = (await installation())(await makeBucket());
    const hash = 'ab'.repeat(32);
    await identity.parts.store.put(`blobs/ab/${hash}.jpg`, Buffer.from('bytes'));
    await expect(identity.claim()).rejects.toThrow(/does not know/);
    await identity.adopt();
    await identity.claim();
    expect(await identity.unknownSince(new Date())).toEqual(new Date(0));
  });
});
