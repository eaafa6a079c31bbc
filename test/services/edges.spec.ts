import { S3ObjectStore } from '../../src/common/platform/storage/s3/s3-object-store';
import { describeEdges } from '../support/edges-contract';
import { makeBucket, testS3 } from './s3-environment';

describeEdges(
  'a bucket',
  async () => new S3ObjectStore({ connection: testS3(), bucket: await makeBucket(), prefix: 'some/prefix' }),
);
