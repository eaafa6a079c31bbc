import { createRequire } from 'node:module';
import type { Client } from 'minio';
import type { AssumeRoleProvider } from 'minio/dist/main/AssumeRoleProvider.js';

export interface S3Connection {
  /** For example http://127.0.0.1:9000. */
  readonly endpoint: string;
  /** The endpoint in links for clients; the same endpoint if undefined. */
  readonly publicEndpoint?: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** How long the store may be silent before a call is aborted. */
  readonly idleTimeoutMs?: number;
}

const IDLE_TIMEOUT_MS = 10_000;

/** Loaded on demand: it would take a third of the startup time of a process that only uses a folder store. */
const load = createRequire(__filename);
const minio = () => load('minio') as typeof import('minio');
const transport = () => load('./s3-transport') as typeof import('./s3-transport');

/** A client for signing links, which are only valid for one host. */
export const connectPublicS3 = (connection: S3Connection): Client =>
  connectS3({ ...connection, endpoint: connection.publicEndpoint ?? connection.endpoint });

/** Without a credentials provider the keys of the connection are used. */
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
    transport: transport().s3Transport(useSSL, connection.idleTimeoutMs ?? IDLE_TIMEOUT_MS),
    // Disables the client's own retries, which print to the console; `S3Calls` retries instead.
    retryOptions: { disableRetry: true },
  });
}
