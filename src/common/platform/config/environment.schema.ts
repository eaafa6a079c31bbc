import { isIP } from 'node:net';
import { availableParallelism, homedir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { hostnameOf } from './host-names';
import { postgresUrl } from './postgres-url';
import { booleanSetting, runtimeSettings } from './runtime-settings.schema';
import { tracingVariables } from './tracing-configuration';

const port = z.coerce.number({ error: 'must be a port number' }).int().min(0).max(65535);

const bytes = (fallback: number) =>
  z.coerce.number({ error: 'must be a number of bytes' }).int().positive().default(fallback);

const url = (example: string) => z.url({ error: `must be a URL such as ${example}` });

const RAY_ADDRESS = 'must be the URL of a Ray dashboard such as http://ray-head:8265, without a path or credentials';
const rayAddress = z
  .url({ protocol: /^https?$/, error: RAY_ADDRESS })
  .transform((text) => new URL(text))
  .refine(({ username, password, search, hash }) => `${username}${password}${search}${hash}` === '', {
    error: RAY_ADDRESS,
  })
  .refine(({ pathname }) => pathname === '/', { error: RAY_ADDRESS })
  .transform(({ origin }) => origin);

const seconds = z.coerce.number({ error: 'must be a number of seconds' }).int().positive();

const DAY_MINUTES = 24 * 60;
const minutes = z.coerce
  .number({ error: `must be 1 to ${DAY_MINUTES} minutes` })
  .int({ error: `must be 1 to ${DAY_MINUTES} minutes` })
  .min(1, { error: `must be 1 to ${DAY_MINUTES} minutes` })
  .max(DAY_MINUTES, { error: `must be 1 to ${DAY_MINUTES} minutes` });

const commaList = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

const hostNames = commaList
  .transform((names) => names.map((name) => name.toLowerCase()))
  .refine((names) => names.every((name) => hostnameOf(name) === name), {
    error: 'must name hosts such as media.example.com or [fd00::7], without ports',
  });

const isAddressRange = (text: string): boolean => {
  const [address, bits] = text.split('/', 2);
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address!)]!;
  return most > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
};

const proxyList = commaList.refine((ranges) => ranges.every(isAddressRange), {
  error: 'must name addresses or ranges such as 10.0.0.0/8',
});

const GIB = 1024 ** 3;
const HOUR = 60 * 60;

/** Of the container, if it has a limit. */
const memoryOfMachine = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

/** Every name that the service reads from its environment. */
export const environmentSchema = z.object({
  PORT: port.default(3000),
  HOST: z.string().default('127.0.0.1'),
  BASE_URL: url('https://media.example.com').optional(),
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((path) => resolve(path)),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  STORAGE_URL: z
    .string()
    .regex(/^(file:\/\/\/|s3:\/\/[a-z0-9])/, { error: 'must be file:///folder or s3://bucket[/prefix]' })
    .optional(),
  S3_ENDPOINT: url('http://127.0.0.1:9000').optional(),
  PUBLIC_S3_ENDPOINT: url('https://store.example.com').optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY: z.string().optional(),
  S3_SECRET_KEY: z.string().optional(),
  MEDIA_ROOTS: commaList.optional(),
  MEDIA_BUCKETS: commaList.optional(),
  WEBHOOK_HOSTS: commaList.optional(),
  TRUSTED_PROXIES: proxyList.optional(),
  RUN_MODE: z.enum(['ONPREM', 'CLOUD'], { error: 'must be ONPREM or CLOUD' }).default('ONPREM'),
  AUTH_MODE: z.enum(['none', 'oidc'], { error: 'must be none or oidc' }).default('none'),
  ALLOW_OPEN: booleanSetting(false),
  ALLOWED_HOSTS: hostNames.optional(),
  OIDC_ISSUER: url('https://login.example.com/realms/media').optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_REDIRECT_URI: url('https://media.example.com/api/v1/oidc/callback').optional(),
  KEYCLOAK_ADMIN_URL: url('https://login.example.com').optional(),
  KEYCLOAK_ADMIN_CLIENT_ID: z.string().optional(),
  KEYCLOAK_ADMIN_CLIENT_SECRET: z.string().optional(),
  USER_SYNC_MINUTES: minutes.default(5),
  BOOTSTRAP_ADMIN_EMAIL: z.email({ error: 'must be an e-mail address' }).optional(),
  SINGLE_WORKSPACE: booleanSetting(true),
  SESSION_IDLE_SECONDS: seconds.default(8 * HOUR),
  SESSION_MAX_SECONDS: seconds.default(7 * 24 * HOUR),
  JWT_MAX_LIFETIME: seconds.default(30 * 24 * HOUR),
  SECRET_KEY: z.string().optional(),
  ACCEPTED_SECRET_KEY: z.string().optional(),
  PIPELINE_PORT: port.optional(),
  PIPELINE_TOKEN: z
    .string()
    .regex(/^\S{16,}$/, { error: 'must be at least 16 characters long, without blanks' })
    .optional(),
  METRICS_PORT: port.optional(),
  ROLE: z.enum(['all', 'api', 'worker'], { error: 'must be all, api or worker' }).default('all'),
  MODELS_DIR: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  WORKER_CONCURRENCY: z.coerce
    .number({ error: 'must be a number' })
    .int()
    .min(1)
    .max(256)
    .default(availableParallelism()),
  ENGINE: z.enum(['local', 'ray'], { error: 'must be local or ray' }).default('local'),
  RAY_ADDRESS: rayAddress.optional(),
  RAY_AUTH_TOKEN: z.string().regex(/^\S+$/, { error: 'must be one word, without blanks' }).optional(),
  RAY_RUNNER_PROCESSORS: z.coerce.number({ error: 'must be a number' }).int().min(1).max(256).default(1),
  MAX_UPLOAD_BYTES: bytes(5 * GIB),
  MAX_FILES_PER_UPLOAD: z.coerce.number({ error: 'must be a number' }).int().positive().default(1000),
  EXPLORE_CACHE_BYTES: bytes(GIB),
  VECTOR_CACHE_BYTES: bytes(2 * GIB),
  INDEX_CACHE_BYTES: bytes(Math.max(GIB / 2, Math.floor(memoryOfMachine() / 12))),
  INDEXING_MEMORY_BYTES: bytes(Math.floor(memoryOfMachine() / 2)),
  MAX_ARCHIVE_BYTES: bytes(50 * GIB),
  OUTAGE_WAIT_SECONDS: seconds.default(24 * HOUR),
  DRAIN_SECONDS: z.coerce.number({ error: 'must be a number of seconds' }).int().min(0).max(HOUR).default(0),
  CALL_TIMEOUT_SECONDS: seconds.max(HOUR).default(10),
  ...runtimeSettings,
  ...tracingVariables,
  OWNED_BY: z.string().min(1).default('DMS'),
});

export type Environment = z.infer<typeof environmentSchema>;

export const sampleFolder = (dataDir: string): string => join(dataDir, 'sample');

/** Without sign-in the program itself makes a dataset of the sample folder, wherever MEDIA_ROOTS are. */
export function mediaRootsOf({ MEDIA_ROOTS: roots, AUTH_MODE: mode, DATA_DIR: dataDir }: Environment): string[] {
  if (mode === 'oidc') return roots ?? [];
  return roots === undefined ? [homedir(), dataDir] : [...roots, sampleFolder(dataDir)];
}
