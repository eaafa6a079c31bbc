import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { S3Connection } from '../storage/s3-connection';
import { ConfigurationError } from './configuration-error';
import { defaultMediaRoots, environmentSchema, type Environment } from './environment.schema';
import { readOrMakeSecretKey } from './secret-key';

export interface Configuration {
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly storageUrl: string;
  readonly s3: S3Connection | null;
  readonly mediaRoots: readonly string[];
  readonly mediaBuckets: readonly string[];
  readonly runMode: 'ONPREM' | 'CLOUD';
  /** Where the pipeline interface listens; null for the port of everything else. */
  readonly pipelinePort: number | null;
  readonly pipelineToken: string | null;
  readonly role: 'all' | 'api' | 'worker';
  readonly modelsDir: string | null;
  readonly workerConcurrency: number;
  readonly secretKey: Buffer;
  readonly maxUploadBytes: number;
  readonly maxFilesPerUpload: number;
  readonly maxImages: number;
  readonly exploreCacheBytes: number;
  readonly vectorCacheBytes: number;
  readonly maxArchiveBytes: number;
  /** To which frames of videos are scaled down; null to keep their size. */
  readonly frameHeight: number | null;
  readonly addMediaEnabled: boolean;
  readonly snapshotsEnabled: boolean;
  readonly deleteDatasetEnabled: boolean;
  readonly swapRgbForTiffHeic: boolean;
  readonly logLevel: Environment['LOG_LEVEL'];
  readonly ownedBy: string;
}

export const CONFIGURATION = Symbol('Configuration');

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

function parseEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environmentSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const name = String(issue.path[0]);
  throw new ConfigurationError(`${name}=${String(given[name])} is not valid: it ${issue.message}.`);
}

function s3Connection(env: Environment): S3Connection | null {
  if (env.S3_ENDPOINT && env.S3_ACCESS_KEY && env.S3_SECRET_KEY) {
    return {
      endpoint: env.S3_ENDPOINT,
      region: env.S3_REGION,
      accessKey: env.S3_ACCESS_KEY,
      secretKey: env.S3_SECRET_KEY,
    };
  }
  if (env.STORAGE_URL?.startsWith('s3://')) {
    throw new ConfigurationError(
      'STORAGE_URL names an S3 bucket, so S3_ENDPOINT, S3_ACCESS_KEY and S3_SECRET_KEY must be set.',
    );
  }
  return null;
}

function assertConsistent(env: Environment): void {
  if (env.AUTH_MODE === 'oidc') {
    throw new ConfigurationError(
      'AUTH_MODE=oidc is not available in this version: set AUTH_MODE=none and keep the service on loopback.',
    );
  }
  if (!isLoopback(env.HOST) && !env.ALLOW_OPEN) {
    throw new ConfigurationError(
      `AUTH_MODE=none lets everybody in, so HOST=${env.HOST} is refused: use 127.0.0.1, or set ALLOW_OPEN=true if you mean it.`,
    );
  }
  if (env.ROLE !== 'all' && env.DATABASE_URL === undefined) {
    throw new ConfigurationError(
      `ROLE=${env.ROLE} shares its database with other processes, so DATABASE_URL must be set.`,
    );
  }
}

export function readConfiguration(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Configuration {
  const env = parseEnvironment(variables);
  assertConsistent(env);
  const storageUrl = env.STORAGE_URL ?? pathToFileURL(join(env.DATA_DIR, 'store')).href;
  const bucket = /^s3:\/\/([^/]+)/.exec(storageUrl)?.[1];
  return {
    host: env.HOST,
    port: env.PORT,
    baseUrl: (env.BASE_URL ?? `http://${env.HOST}:${env.PORT}`).replace(/\/+$/, ''),
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL ?? null,
    storageUrl,
    s3: s3Connection(env),
    mediaRoots: env.MEDIA_ROOTS ?? defaultMediaRoots(env.DATA_DIR),
    mediaBuckets: env.MEDIA_BUCKETS ?? (bucket === undefined ? [] : [bucket]),
    runMode: env.RUN_MODE,
    pipelinePort: env.PIPELINE_PORT === env.PORT ? null : (env.PIPELINE_PORT ?? null),
    pipelineToken: env.PIPELINE_TOKEN ?? null,
    role: env.ROLE,
    modelsDir: env.MODELS_DIR ?? null,
    workerConcurrency: env.WORKER_CONCURRENCY,
    secretKey: readOrMakeSecretKey(env.SECRET_KEY, env.DATA_DIR),
    maxUploadBytes: env.MAX_UPLOAD_BYTES,
    maxFilesPerUpload: env.MAX_FILES_PER_UPLOAD,
    maxImages: env.MAX_NUM_OF_IMAGES,
    exploreCacheBytes: env.EXPLORE_CACHE_BYTES,
    vectorCacheBytes: env.VECTOR_CACHE_BYTES,
    maxArchiveBytes: env.MAX_ARCHIVE_BYTES,
    frameHeight: env.FRAME_EXTRACTION_RESIZE_HEIGHT ?? null,
    addMediaEnabled: env.ADD_MEDIA_ENABLED,
    snapshotsEnabled: env.DATASET_SNAPSHOTS_ENABLED,
    deleteDatasetEnabled: env.DELETE_DATASET_ENABLED,
    swapRgbForTiffHeic: env.SWAP_RGB_CHANNELS_FOR_TIFF_HEIC,
    logLevel: env.LOG_LEVEL,
    ownedBy: env.OWNED_BY,
  };
}
