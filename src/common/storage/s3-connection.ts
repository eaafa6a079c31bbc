import { createRequire } from 'node:module';
import type { Client } from 'minio';
import type { AssumeRoleProvider } from 'minio/dist/main/AssumeRoleProvider.js';

export interface S3Connection {
  /** Such as http://127.0.0.1:9000. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Loaded by need: it takes a third of the start of a process that uses a folder store only. */
const minio = () => createRequire(__filename)('minio') as typeof import('minio');

/** Without a provider of others, the connection's own keys count. */
export function connectS3(connection: S3Connection, credentialsProvider?: AssumeRoleProvider): Client {
  const { protocol, hostname, port } = new URL(connection.endpoint);
  const useSSL = protocol === 'https:';
  return new (minio().Client)({
    endPoint: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (useSSL ? 443 : 80) : Number(port),
    useSSL,
    region: connection.region,
    accessKey: connection.accessKey,
    secretKey: connection.secretKey,
    ...(credentialsProvider === undefined ? {} : { credentialsProvider }),
    retryOptions: { maximumRetryCount: 4, maximumDelayMs: 5000 },
  });
}
