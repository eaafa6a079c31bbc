import { availableParallelism, homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { memoryOfMachine, memorySizeRule } from './memory-sizes';
import { postgresUrl } from './postgres-url';
import { booleanSetting, runtimeSettings } from './runtime-settings.schema';
import { tracingVariables } from './tracing-configuration';
import {
  byteCount,
  bytes,
  commaList,
  GIB,
  HOUR,
  hostNames,
  port,
  processors,
  proxyList,
  rayAddress,
  seconds,
  url,
} from './variable-types';

// `npm run describe` writes docs/configuration.md from these sections: `description` is the meaning of a variable, in Markdown, and
// `whenUnset` its default where the schema has none, or one that depends on the machine.

const addresses = {
  PORT: port.default(3000).meta({ description: 'the port of the service' }),
  HOST: z.string().default('127.0.0.1').meta({
    description:
      'the address on which the service listens. With `AUTH_MODE=none` it must be a loopback address unless `ALLOW_OPEN=true`',
  }),
  BASE_URL: url('https://media.example.com').optional().meta({
    description: 'the URL at which clients reach the service',
    whenUnset: 'made from `HOST` and `PORT`',
  }),
  ALLOWED_HOSTS: hostNames.optional().meta({
    description:
      'comma-separated host names by which the service may be asked, besides loopback names and the host of `BASE_URL`. Requests for other names get a 403 with `AUTH_MODE=none` (with `ALLOW_OPEN=true` only if this or `BASE_URL` is set), and with `AUTH_MODE=oidc` if this is set. Health, metrics and the pipeline interface also answer to IP addresses',
  }),
  TRUSTED_PROXIES: proxyList.optional().meta({
    description: 'comma-separated addresses or ranges of proxies whose `X-Forwarded-For` header is trusted',
  }),
  METRICS_PORT: port.optional().meta({
    description:
      'the port of `/metrics`, which is then not served on `PORT`. Set it where `PORT` can be reached from outside the network of the site',
    whenUnset: 'same as `PORT`',
  }),
  PIPELINE_PORT: port.optional().meta({
    description: 'the port of the pipeline interface `/api/v1/process`',
    whenUnset: 'same as `PORT`',
  }),
  PIPELINE_TOKEN: z
    .string()
    .regex(/^\S{16,}$/, { error: 'must be at least 16 characters long, without blanks' })
    .optional()
    .meta({
      description: 'the token of the pipeline interface. With `AUTH_MODE=oidc` the interface is disabled without one',
    }),
  WEBHOOK_HOSTS: commaList.optional().meta({
    description: 'comma-separated hosts that [webhooks](webhooks.md) may call: `host`, `host:port` or `*.suffix`',
    whenUnset: 'none',
  }),
};

const dataAndStorage = {
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((path) => resolve(path))
    .meta({
      description:
        'the folder of the embedded Postgres, the folder store, and the scratch files of running jobs. Other users of the machine cannot read it',
      whenUnset: '`./data`',
    }),
  DATABASE_URL: postgresUrl.optional().meta({
    description:
      'the URL of Postgres 15 or newer. TLS as with libpq: `sslmode` (`disable`, `require`, `verify-ca`, `verify-full`), `sslrootcert` (a file, or `system`), `sslcert` and `sslkey` in the query',
    whenUnset: 'the embedded Postgres',
  }),
  DATABASE_DIRECT_URL: postgresUrl.optional().meta({
    description:
      'a direct connection to Postgres, for notifications, if `DATABASE_URL` points to a pooler such as PgBouncer (transaction mode is supported). Without it, processes behind a pooler poll every few seconds',
    whenUnset: 'same as `DATABASE_URL`',
  }),
  STORAGE_URL: z
    .string()
    .regex(/^(file:\/\/\/|s3:\/\/[a-z0-9])/, { error: 'must be file:///folder or s3://bucket[/prefix]' })
    .optional()
    .meta({
      description:
        'the object store: `file:///folder` or `s3://bucket[/prefix]`, at any S3 server with conditional writes',
      whenUnset: 'a folder below `DATA_DIR`',
    }),
  S3_ENDPOINT: url('http://127.0.0.1:9000').optional().meta({ description: 'the URL of the S3 server' }),
  PUBLIC_S3_ENDPOINT: url('https://store.example.com').optional().meta({
    description: 'the URL of the S3 server for clients, used in links to media and exports',
    whenUnset: 'same as `S3_ENDPOINT`',
  }),
  S3_REGION: z.string().default('us-east-1').meta({ description: 'the region of the bucket' }),
  S3_ACCESS_KEY: z.string().optional().meta({ description: 'the access key of the store' }),
  S3_SECRET_KEY: z.string().optional().meta({ description: 'the secret key of the store' }),
  MEDIA_ROOTS: commaList.optional().meta({
    description:
      'comma-separated folders from which the service may read local paths. A folder that is missing or empty counts as not mounted, and jobs wait for it, so name each mounted share itself. With `AUTH_MODE=none` the sample in `DATA_DIR` can always be read. Editors can list these folders (`GET /api/v1/ingestion/roots`). `~` in a path is the home folder of the service, if it is in one of them',
    whenUnset: 'your home folder and `DATA_DIR`; none with `AUTH_MODE=oidc`',
  }),
  MEDIA_BUCKETS: commaList.optional().meta({
    description: 'comma-separated buckets that `s3://` sources may name',
    whenUnset: "the store's own bucket",
  }),
  SECRET_KEY: z.string().optional().meta({
    description:
      '32 bytes in base64, the same for all processes of an installation (a process with another key does not start). It signs media URLs and encrypts secrets in the database. `npm run rotate-secret-key` replaces it: pass the old key as `OLD_SECRET_KEY`, unless it is stored in `DATA_DIR`',
    whenUnset: 'generated, and stored in `DATA_DIR`',
  }),
  ACCEPTED_SECRET_KEY: z.string().optional().meta({
    description:
      'a second key, accepted while `SECRET_KEY` is [rotated without a stop](security.md#rotating-the-secret-key)',
  }),
  OWNED_BY: z.string().min(1).default('DMS').meta({ description: 'the `owned_by` tag of datasets' }),
};

const users = {
  AUTH_MODE: z.enum(['none', 'oidc'], { error: 'must be none or oidc' }).default('none').meta({
    description:
      '`none`: everybody is the one local admin. `oidc`: people sign in at an OpenID Connect provider ([security](security.md))',
  }),
  ALLOW_OPEN: booleanSetting(false).meta({
    description: 'allows `AUTH_MODE=none` on an address that is not loopback',
  }),
  RUN_MODE: z
    .enum(['ONPREM', 'CLOUD'], { error: 'must be ONPREM or CLOUD' })
    .default('ONPREM')
    .meta({ description: 'with `CLOUD` the service accepts bearer tokens only, and administration answers 403' }),
  OIDC_ISSUER: url('https://login.example.com/realms/media').optional().meta({
    description: 'the URL of the OpenID Connect provider',
  }),
  OIDC_CLIENT_ID: z.string().optional().meta({ description: 'the id of the service at the provider' }),
  OIDC_CLIENT_SECRET: z.string().optional().meta({ description: 'the secret of the service at the provider' }),
  OIDC_REDIRECT_URI: url('https://media.example.com/api/v1/oidc/callback').optional().meta({
    description: 'the redirect URI that the provider knows',
    whenUnset: '`BASE_URL/api/v1/oidc/callback`',
  }),
  BOOTSTRAP_ADMIN_EMAIL: z.email({ error: 'must be an e-mail address' }).optional().meta({
    description: 'the e-mail address of the first admin',
    whenUnset: 'the first person to sign in becomes admin',
  }),
  KEYCLOAK_ADMIN_URL: url('https://login.example.com').optional().meta({
    description:
      'the URL of Keycloak, whose admin API manages users. Without it, users can only be managed at the provider',
  }),
  KEYCLOAK_ADMIN_CLIENT_ID: z
    .string()
    .optional()
    .meta({ description: 'the id of a service account of the admin API of Keycloak' }),
  KEYCLOAK_ADMIN_CLIENT_SECRET: z.string().optional().meta({ description: 'the secret of that service account' }),
  SINGLE_WORKSPACE: booleanSetting(true).meta({
    description: 'one admin per workspace: promoting a member makes the previous admin an editor',
  }),
  SESSION_IDLE_SECONDS: seconds.default(8 * HOUR).meta({ description: 'the idle timeout of a browser session' }),
  SESSION_MAX_SECONDS: seconds
    .default(7 * 24 * HOUR)
    .meta({ description: 'the maximum lifetime of a browser session' }),
  JWT_MAX_LIFETIME: seconds.default(30 * 24 * HOUR).meta({
    description:
      'the maximum lifetime in seconds, from `iat` to `exp`, of a token signed with an API key. Tokens with a longer lifetime are refused (401)',
  }),
};

const processesAndOutages = {
  ROLE: z.enum(['all', 'api', 'worker'], { error: 'must be all, api or worker' }).default('all').meta({
    description:
      '`api` or `worker`, to run several processes with one `DATABASE_URL` and store. A worker serves only health and metrics',
  }),
  WORKER_CONCURRENCY: processors.default(availableParallelism()).meta({
    description: 'the number of compute processes',
    whenUnset: 'the number of cores',
  }),
  ENGINE: z.enum(['local', 'ray'], { error: 'must be local or ray' }).default('local').meta({
    description:
      'where the files of a source are analysed and many vectors compared: `local` by the workers, `ray` by the nodes of a [Ray cluster](scale.md#a-ray-cluster)',
  }),
  RAY_ADDRESS: rayAddress.optional().meta({
    description:
      'the URL of the Ray dashboard, which has the Jobs interface, such as `http://ray-head:8265`. `ENGINE=ray` also needs `STORAGE_URL`, for a store that all nodes can reach',
  }),
  RAY_AUTH_TOKEN: z.string().regex(/^\S+$/, { error: 'must be one word, without blanks' }).optional().meta({
    description: 'the token of the Ray cluster, if it requires one',
  }),
  MODELS_DIR: z
    .string()
    .transform((path) => resolve(path))
    .optional()
    .meta({
      description:
        "the folder of the site's own [models](models.md), besides the built-in ones; the same for all processes. Keep the models of existing datasets: without its model a dataset can be read and searched, but media cannot be added",
    }),
  OUTAGE_WAIT_SECONDS: seconds.default(24 * HOUR).meta({
    description:
      'how long a job waits during an outage (Postgres, the object store, no disk space) before it fails. Meanwhile its task says what it waits for and since when; afterwards it resumes from its checkpoint',
  }),
  DRAIN_SECONDS: z.coerce.number({ error: 'must be a number of seconds' }).int().min(0).max(HOUR).default(0).meta({
    description:
      'how long the service continues to serve after SIGTERM before it stops. Meanwhile `/health/ready` answers 503, and each response ends its connection, so that load balancers and clients change to other processes without losing a request',
  }),
  CALL_TIMEOUT_SECONDS: seconds.max(HOUR).default(10).meta({
    description:
      'the timeout of one call to Postgres or the object store while a client waits. After it the client gets a 503',
  }),
};

const limitsAndMemory = {
  MAX_UPLOAD_BYTES: bytes(5 * GIB).meta({ description: 'the largest file of an upload' }),
  MAX_FILES_PER_UPLOAD: z.coerce
    .number({ error: 'must be a number' })
    .int()
    .positive()
    .default(1000)
    .meta({ description: 'the most files of one upload request' }),
  MAX_ARCHIVE_BYTES: bytes(50 * GIB).meta({ description: 'the most bytes of an archive, unpacked' }),
  MEMORY_BYTES: bytes(memoryOfMachine()).meta({
    description:
      'the memory that the caches of this process, and the comparison of vectors while a dataset is indexed, are planned with. The next five variables follow from it',
    whenUnset: 'the memory of the machine or container',
  }),
  EXPLORE_CACHE_BYTES: byteCount.optional().meta({
    description:
      'memory for the indexes of the datasets that are explored, shared by all. What a larger dataset needs (some 200 MB a million media) stays in memory while it is the one used last',
    whenUnset: memorySizeRule('EXPLORE_CACHE_BYTES'),
  }),
  ANNOTATION_CACHE_BYTES: byteCount.optional().meta({
    description:
      'memory for what filters need of the annotations of sources, shared by all datasets: some 30 bytes an annotation and 50 a medium for each source. With less, it is read again for each source that is used in turn',
    whenUnset: memorySizeRule('ANNOTATION_CACHE_BYTES'),
  }),
  VECTOR_CACHE_BYTES: byteCount.optional().meta({
    description:
      'memory for quantised embeddings, shared by all datasets: 1 GB a million embeddings of 512 dimensions. A dataset has up to four kinds: of media, of captions, of generated captions beside those of people, and of pictures that texts are compared with. When it is full, the least recently searched dataset is evicted, and loaded again at its next search. While there is room, the vectors of a dataset that is opened are loaded ahead. A dataset larger than the limit is searched by an index ([scale](scale.md))',
    whenUnset: memorySizeRule('VECTOR_CACHE_BYTES'),
  }),
  INDEX_CACHE_BYTES: byteCount.optional().meta({
    description:
      "memory for LanceDB's indexes of ids, captions and labels, and of vectors that do not fit into `VECTOR_CACHE_BYTES`",
    whenUnset: memorySizeRule('INDEX_CACHE_BYTES'),
  }),
  INDEXING_MEMORY_BYTES: byteCount.optional().meta({
    description:
      'memory for comparing the vectors of a dataset while it is indexed, in addition to the memory of the process. Vectors lie in scratch files below `DATA_DIR` meanwhile (up to three times their size). Those of 512 numbers take 5.1 KB of memory each when they all have room at once; with less, parts of them are read several times, down to 0.6 KB each. A dataset that needs more fails with that reason',
    whenUnset: memorySizeRule('INDEXING_MEMORY_BYTES'),
  }),
};

/** The keys are the section titles of docs/configuration.md. */
export const VARIABLE_SECTIONS = {
  'Addresses and ports': addresses,
  'Data and storage': dataAndStorage,
  'Sign-in and users': users,
  'Processes and outages': processesAndOutages,
  'Limits and memory': limitsAndMemory,
  'Settings that an admin may change': runtimeSettings,
  Traces: tracingVariables,
} as const;

/** All variables that the service reads from its environment. */
export const environmentSchema = z.object({
  ...addresses,
  ...dataAndStorage,
  ...users,
  ...processesAndOutages,
  ...limitsAndMemory,
  ...runtimeSettings,
  ...tracingVariables,
});

export type Environment = z.infer<typeof environmentSchema>;

export const sampleFolder = (dataDir: string): string => join(dataDir, 'sample');

/** Without sign-in the service itself creates a dataset from the sample folder, whatever MEDIA_ROOTS contains. */
export function mediaRootsOf({ MEDIA_ROOTS: roots, AUTH_MODE: mode, DATA_DIR: dataDir }: Environment): string[] {
  if (mode === 'oidc') return roots ?? [];
  return roots === undefined ? [homedir(), dataDir] : [...roots, sampleFolder(dataDir)];
}
