import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { S3Connection } from '../storage/s3/s3-connection';
import { trimEndOf } from '../text/texts';
import { ConfigurationError } from './configuration-error';
import { prepareDataFolder } from './data-folder';
import { environmentSchema, mediaRootsOf, type Environment } from './environment.schema';
import { memorySize, type MEMORY_SIZES } from './memory-sizes';
import { parseVariables } from './variable-types';
import { pickRuntimeSettings, type RuntimeSettings } from './runtime-settings.schema';
import { isLoopback } from './host-names';
import { decodeSecretKey, readOrMakeSecretKey } from './secret-key';
import { tracingConfiguration, type TracingConfiguration } from './tracing-configuration';

export interface OidcConfiguration {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  /** The email address of the user who becomes admin at first sign-in; null for the first user who signs in. */
  readonly bootstrapAdminEmail: string | null;
  readonly sessionIdleSeconds: number;
  readonly sessionMaxSeconds: number;
  /** The maximum lifetime of a token signed with an API key. */
  readonly jwtMaxSeconds: number;
}

export interface KeycloakAdminConfiguration {
  readonly url: string;
  readonly realm: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface RayConfiguration {
  /** The URL of the dashboard, which provides Ray's Jobs API. */
  readonly address: string;
  readonly token: string | null;
}

export interface Configuration {
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** A direct connection to Postgres, if `databaseUrl` points to a pooler. */
  readonly databaseDirectUrl: string | null;
  readonly storageUrl: string;
  readonly s3: S3Connection | null;
  readonly mediaRoots: readonly string[];
  readonly mediaBuckets: readonly string[];
  readonly runMode: 'ONPREM' | 'CLOUD';
  /** Null without sign-in: everyone who can reach the service acts as its local admin. */
  readonly oidc: OidcConfiguration | null;
  readonly keycloakAdmin: KeycloakAdminConfiguration | null;
  readonly singleWorkspace: boolean;
  /** True if the operator allows everyone on the network to act as the local admin. */
  readonly isOpen: boolean;
  /** The host names for which the service accepts requests, besides loopback names; null for any. */
  readonly hostNames: readonly string[] | null;
  /** Addresses of the proxies whose X-Forwarded-For header is trusted. */
  readonly trustedProxies: readonly string[];
  /** The hosts that webhooks may call. */
  readonly webhookHosts: readonly string[];
  /** The port of the pipeline interface; null to use the main port. */
  readonly pipelinePort: number | null;
  readonly pipelineToken: string | null;
  /** The port of the metrics; null to use the main port. */
  readonly metricsPort: number | null;
  readonly role: 'all' | 'api' | 'worker';
  readonly modelsDir: string | null;
  readonly workerConcurrency: number;
  /** The cluster that runs the steps of indexing; null if the workers run them. */
  readonly ray: RayConfiguration | null;
  readonly secretKey: Buffer;
  /** During a key rotation, signatures and sealed texts of processes with this key are accepted too. */
  readonly acceptedSecretKey: Buffer | null;
  readonly maxUploadBytes: number;
  readonly maxFilesPerUpload: number;
  readonly exploreCacheBytes: number;
  readonly annotationCacheBytes: number;
  readonly vectorCacheBytes: number;
  readonly indexCacheBytes: number;
  readonly indexingMemoryBytes: number;
  readonly maxArchiveBytes: number;
  /** How long a job waits during an outage before it fails. */
  readonly outageWaitMs: number;
  /** How long a process continues to serve after SIGTERM. */
  readonly drainMs: number;
  /** The timeout of one call to the database or the store during a request. */
  readonly callTimeoutMs: number;
  /** The defaults of the runtime settings. Read current values from `Settings`. */
  readonly settings: Readonly<RuntimeSettings>;
  readonly ownedBy: string;
  /** Null if traces are not exported. */
  readonly tracing: TracingConfiguration | null;
}

export const CONFIGURATION = Symbol('Configuration');

type S3Variables = Pick<
  Environment,
  | 'STORAGE_URL'
  | 'S3_ENDPOINT'
  | 'PUBLIC_S3_ENDPOINT'
  | 'S3_REGION'
  | 'S3_ACCESS_KEY'
  | 'S3_SECRET_KEY'
  | 'CALL_TIMEOUT_SECONDS'
>;

export function s3Connection(env: S3Variables): S3Connection | null {
  if (env.S3_ENDPOINT && env.S3_ACCESS_KEY && env.S3_SECRET_KEY) {
    return {
      endpoint: env.S3_ENDPOINT,
      ...(env.PUBLIC_S3_ENDPOINT === undefined ? {} : { publicEndpoint: env.PUBLIC_S3_ENDPOINT }),
      region: env.S3_REGION,
      accessKey: env.S3_ACCESS_KEY,
      secretKey: env.S3_SECRET_KEY,
      idleTimeoutMs: env.CALL_TIMEOUT_SECONDS * 1_000,
    };
  }
  if (env.STORAGE_URL?.startsWith('s3://')) {
    throw new ConfigurationError(
      'STORAGE_URL names an S3 bucket, so S3_ENDPOINT, S3_ACCESS_KEY and S3_SECRET_KEY must be set.',
    );
  }
  return null;
}

/** Asserts that the named variables are set; otherwise fails with a sentence that lists the missing ones. */
function together<Name extends keyof Environment>(
  env: Pick<Environment, Name>,
  names: readonly Name[],
  because: string,
): { [Each in Name]: NonNullable<Environment[Each]> } {
  const missing = names.filter((name) => env[name] === undefined);
  if (missing.length > 0)
    throw new ConfigurationError(`${because}, so ${new Intl.ListFormat('en').format(missing)} must be set.`);
  return env as { [Each in Name]: NonNullable<Environment[Each]> };
}

function oidcConfiguration(env: Environment, baseUrl: string): OidcConfiguration | null {
  if (env.AUTH_MODE === 'none') return null;
  const names = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
  const given = together(env, names, 'AUTH_MODE=oidc signs people in at a provider');
  return {
    issuer: given.OIDC_ISSUER,
    clientId: given.OIDC_CLIENT_ID,
    clientSecret: given.OIDC_CLIENT_SECRET,
    redirectUri: env.OIDC_REDIRECT_URI ?? `${baseUrl}/api/v1/oidc/callback`,
    bootstrapAdminEmail: env.BOOTSTRAP_ADMIN_EMAIL ?? null,
    sessionIdleSeconds: env.SESSION_IDLE_SECONDS,
    sessionMaxSeconds: env.SESSION_MAX_SECONDS,
    jwtMaxSeconds: env.JWT_MAX_LIFETIME,
  };
}

function rayConfiguration(env: Environment): RayConfiguration | null {
  if (env.ENGINE === 'local') return null;
  const names = ['RAY_ADDRESS', 'STORAGE_URL'] as const;
  const { RAY_ADDRESS: address } = together(env, names, 'ENGINE=ray hands work to the nodes of a Ray cluster');
  return { address, token: env.RAY_AUTH_TOKEN ?? null };
}

function realmOf(issuer: string | undefined): string {
  const name = /\/realms\/((?:[^/?#%]|%[0-7][0-9A-Fa-f])+)\/?$/.exec(issuer ?? '')?.[1];
  if (name !== undefined) return decodeURIComponent(name);
  throw new ConfigurationError(
    `KEYCLOAK_ADMIN_URL manages the users of a realm, so OIDC_ISSUER=${issuer ?? ''} must end with /realms/ and its name.`,
  );
}

function keycloakAdminConfiguration(env: Environment): KeycloakAdminConfiguration | null {
  if (env.KEYCLOAK_ADMIN_URL === undefined) return null;
  if (env.AUTH_MODE === 'none') {
    throw new ConfigurationError(
      'KEYCLOAK_ADMIN_URL manages users, but AUTH_MODE=none has no users: set AUTH_MODE=oidc.',
    );
  }
  const names = ['KEYCLOAK_ADMIN_CLIENT_ID', 'KEYCLOAK_ADMIN_CLIENT_SECRET'] as const;
  const given = together(env, names, 'KEYCLOAK_ADMIN_URL is reached by a service account');
  return {
    url: trimEndOf(env.KEYCLOAK_ADMIN_URL, '/'),
    realm: realmOf(env.OIDC_ISSUER),
    clientId: given.KEYCLOAK_ADMIN_CLIENT_ID,
    clientSecret: given.KEYCLOAK_ADMIN_CLIENT_SECRET,
  };
}

function assertConsistent(env: Environment): void {
  if (env.RUN_MODE === 'CLOUD' && env.AUTH_MODE === 'none') {
    throw new ConfigurationError('RUN_MODE=CLOUD serves many callers, so AUTH_MODE=oidc must be set.');
  }
  if (env.AUTH_MODE === 'none' && !isLoopback(env.HOST) && !env.ALLOW_OPEN) {
    throw new ConfigurationError(
      `AUTH_MODE=none admits everybody without signing in, so HOST=${env.HOST} is refused: use 127.0.0.1, or set ALLOW_OPEN=true if you mean it.`,
    );
  }
  if (env.ROLE !== 'all' && env.DATABASE_URL === undefined) {
    throw new ConfigurationError(
      `ROLE=${env.ROLE} shares its database with other processes, so DATABASE_URL must be set.`,
    );
  }
}

const isOpen = (env: Environment): boolean => env.AUTH_MODE === 'none' && !isLoopback(env.HOST);

/** With sign-in, a page of another host name has no session, so any host name is accepted unless the operator lists them. */
function hostNames(env: Environment, baseUrl: string): readonly string[] | null {
  const { BASE_URL: told, ALLOWED_HOSTS: allowed } = env;
  if (allowed === undefined && (env.AUTH_MODE === 'oidc' || (isOpen(env) && told === undefined))) return null;
  return [new URL(baseUrl).hostname, ...(allowed ?? [])];
}

const memoryFor = (name: keyof typeof MEMORY_SIZES, env: Environment): number =>
  env[name] ?? memorySize(name, env.MEMORY_BYTES);

export const bucketOf = (storageUrl: string): string | undefined => /^s3:\/\/([^/]+)/.exec(storageUrl)?.[1];

export function readConfiguration(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Configuration {
  const env = parseVariables(environmentSchema, variables);
  assertConsistent(env);
  prepareDataFolder(env.DATA_DIR);
  const baseUrl = trimEndOf(env.BASE_URL ?? `http://${env.HOST}:${env.PORT}`, '/');
  const storageUrl = env.STORAGE_URL ?? pathToFileURL(join(env.DATA_DIR, 'store')).href;
  const bucket = bucketOf(storageUrl);
  return {
    host: env.HOST,
    port: env.PORT,
    baseUrl,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL ?? null,
    databaseDirectUrl: env.DATABASE_DIRECT_URL ?? null,
    storageUrl,
    s3: s3Connection(env),
    mediaRoots: mediaRootsOf(env),
    mediaBuckets: env.MEDIA_BUCKETS ?? (bucket === undefined ? [] : [bucket]),
    runMode: env.RUN_MODE,
    oidc: oidcConfiguration(env, baseUrl),
    keycloakAdmin: keycloakAdminConfiguration(env),
    singleWorkspace: env.SINGLE_WORKSPACE,
    isOpen: isOpen(env),
    hostNames: hostNames(env, baseUrl),
    trustedProxies: env.TRUSTED_PROXIES ?? [],
    webhookHosts: env.WEBHOOK_HOSTS ?? [],
    pipelinePort: env.PIPELINE_PORT === env.PORT ? null : (env.PIPELINE_PORT ?? null),
    pipelineToken: env.PIPELINE_TOKEN ?? null,
    metricsPort: env.METRICS_PORT === env.PORT ? null : (env.METRICS_PORT ?? null),
    role: env.ROLE,
    modelsDir: env.MODELS_DIR ?? null,
    workerConcurrency: env.WORKER_CONCURRENCY,
    ray: rayConfiguration(env),
    secretKey: readOrMakeSecretKey(env.SECRET_KEY, env.DATA_DIR),
    acceptedSecretKey: env.ACCEPTED_SECRET_KEY ? decodeSecretKey(env.ACCEPTED_SECRET_KEY, 'ACCEPTED_SECRET_KEY') : null,
    maxUploadBytes: env.MAX_UPLOAD_BYTES,
    maxFilesPerUpload: env.MAX_FILES_PER_UPLOAD,
    exploreCacheBytes: memoryFor('EXPLORE_CACHE_BYTES', env),
    annotationCacheBytes: memoryFor('ANNOTATION_CACHE_BYTES', env),
    vectorCacheBytes: memoryFor('VECTOR_CACHE_BYTES', env),
    indexCacheBytes: memoryFor('INDEX_CACHE_BYTES', env),
    indexingMemoryBytes: memoryFor('INDEXING_MEMORY_BYTES', env),
    maxArchiveBytes: env.MAX_ARCHIVE_BYTES,
    outageWaitMs: env.OUTAGE_WAIT_SECONDS * 1_000,
    drainMs: env.DRAIN_SECONDS * 1_000,
    callTimeoutMs: env.CALL_TIMEOUT_SECONDS * 1_000,
    settings: pickRuntimeSettings(env),
    ownedBy: env.OWNED_BY,
    tracing: tracingConfiguration(env),
  };
}
