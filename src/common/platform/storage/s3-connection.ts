import { createRequire } from 'node:module';
import type { Client } from 'minio';
import type { AssumeRoleProvider } from 'minio/dist/main/AssumeRoleProvider.js';
import { s3Transport } from './s3-transport';

export interface S3Connection {
  /** Such as http://127.0.0.1:9000. */
  readonly endpoint: string;
  /** Where those reach the store to whom links are given; the same where it is missing. */
  readonly publicEndpoint?: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** After which silence of the store a call is given up. */
  readonly silenceMs?: number;
}

const SILENCE_MS = 10_000;

/** Loaded by need: it takes a third of the start of a process that uses a folder store only. */
const minio = () => createRequire(__filename)('minio') as typeof import('minio');

/** For signing links, which hold for one host only. */
export const connectPublicS3 = (connection: S3Connection): Client =>
  connectS3({ ...connection, endpoint: connection.publicEndpoint ?? connection.endpoint });

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
    transport: s3Transport(useSSL, connection.silenceMs ?? SILENCE_MS),
    // It would write a line to the console for each; `S3Calls` asks again.
    retryOptions: { disableRetry: true },
  });
}
