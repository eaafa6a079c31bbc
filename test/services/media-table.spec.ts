import { S3ObjectStore } from '../../src/common/platform/storage/s3/s3-object-store';
import { describeMediaTable } from '../support/media-table-contract';
import { makeBucket, testS3 } from './s3-environment';

describeMediaTable('a bucket', async () => {
  const store = new S3ObjectStore({ connection: testS3(), bucket: await makeBucket(), prefix: 'some/prefix' });
  return store.lanceLocation('tables/');
});
