import { randomUUID } from 'node:crypto';
import { connectS3, type S3Connection } from '../../src/common/platform/storage/s3/s3-connection';

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: start the services by test/services/up.`);
  return value;
}

export const testS3 = (): S3Connection => ({
  endpoint: required('TEST_S3_ENDPOINT'),
  region: required('TEST_S3_REGION'),
  accessKey: required('TEST_S3_ACCESS_KEY'),
  secretKey: required('TEST_S3_SECRET_KEY'),
});

export async function makeBucket(): Promise<string> {
  const bucket = `test-${randomUUID()}`;
  await connectS3(testS3()).makeBucket(bucket);
  return bucket;
}
