import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { S3Connection } from '../storage/s3/s3-connection';
import { bucketOf, s3Connection } from './configuration';
import { ConfigurationError } from './configuration-error';
import { environmentSchema } from './environment.schema';
import { parseVariables, type Variables } from './variable-types';

/** The configuration of a step runner, from the environment of its node. */
export interface StepRunnerConfiguration {
  /** The folder for scratch files. */
  readonly dataDir: string;
  readonly storageUrl: string;
  readonly s3: S3Connection | null;
  readonly mediaRoots: readonly string[];
  readonly mediaBuckets: readonly string[];
  readonly modelsDir: string | null;
  readonly workerConcurrency: number;
  readonly baseUrl: string;
}

const stepRunnerSchema = environmentSchema
  .pick({
    STORAGE_URL: true,
    S3_ENDPOINT: true,
    PUBLIC_S3_ENDPOINT: true,
    S3_REGION: true,
    S3_ACCESS_KEY: true,
    S3_SECRET_KEY: true,
    MEDIA_ROOTS: true,
    MEDIA_BUCKETS: true,
    MODELS_DIR: true,
    CALL_TIMEOUT_SECONDS: true,
  })
  .extend({
    DATA_DIR: z
      .string()
      .default(join(tmpdir(), 'dataset-media-service'))
      .transform((path) => resolve(path)),
    // One compute child per processor that the runner was given.
    WORKER_CONCURRENCY: environmentSchema.shape.WORKER_CONCURRENCY.unwrap().default(1),
  });

export function readStepRunner(variables: Variables = process.env): StepRunnerConfiguration {
  const env = parseVariables(stepRunnerSchema, variables);
  if (env.STORAGE_URL === undefined)
    throw new ConfigurationError('STORAGE_URL must name the store of the service, which steps read and write.');
  const bucket = bucketOf(env.STORAGE_URL);
  return {
    dataDir: env.DATA_DIR,
    storageUrl: env.STORAGE_URL,
    s3: s3Connection(env),
    mediaRoots: env.MEDIA_ROOTS ?? [],
    mediaBuckets: env.MEDIA_BUCKETS ?? (bucket === undefined ? [] : [bucket]),
    modelsDir: env.MODELS_DIR ?? null,
    workerConcurrency: env.WORKER_CONCURRENCY,
    // Runners do not sign URLs.
    baseUrl: '',
  };
}
