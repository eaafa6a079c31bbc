import type { Values } from './rendered';

const SECRETS = {
  secretKey: { existingSecret: 'dms-secrets' },
  database: { existingSecret: 'dms-secrets' },
  storage: { url: 's3://media/service', endpoint: 'https://s3.example.com', existingSecret: 'dms-secrets' },
};

/** All dependencies are external, and all secrets come from Secrets of the administrator. */
export const EXTERNAL: Values = {
  ...SECRETS,
  baseUrl: 'https://media.example.com',
  auth: {
    oidc: { issuer: 'https://login.example.com/realms/media', clientId: 'media', existingSecret: 'dms-secrets' },
  },
};

export const PLAIN_SECRETS = {
  DATABASE_URL: 'postgres://media:database-word@127.0.0.1:6432/media',
  DATABASE_DIRECT_URL: 'postgres://media:direct-word@127.0.0.1/media',
  S3_ACCESS_KEY: 'access-word',
  S3_SECRET_KEY: 'store-word',
  SECRET_KEY: `${'k'.repeat(43)}=`,
  OIDC_CLIENT_SECRET: 'oidc-word',
  KEYCLOAK_ADMIN_CLIENT_SECRET: 'keycloak-word',
  PIPELINE_TOKEN: 'pipeline-word-of-16',
  RAY_AUTH_TOKEN: 'ray-word',
};

const FROM_VALUES: Values = {
  baseUrl: 'https://media.example.com',
  secretKey: { value: PLAIN_SECRETS.SECRET_KEY },
  database: { url: PLAIN_SECRETS.DATABASE_URL, directUrl: PLAIN_SECRETS.DATABASE_DIRECT_URL, port: 6432 },
  storage: {
    url: 's3://media',
    endpoint: 'http://s3.example.com:9000',
    accessKey: PLAIN_SECRETS.S3_ACCESS_KEY,
    secretKey: PLAIN_SECRETS.S3_SECRET_KEY,
  },
  auth: {
    oidc: {
      issuer: 'https://login.example.com/realms/media',
      clientId: 'media',
      clientSecret: PLAIN_SECRETS.OIDC_CLIENT_SECRET,
    },
    keycloakAdmin: {
      url: 'https://login.example.com:8443',
      clientId: 'admin',
      clientSecret: PLAIN_SECRETS.KEYCLOAK_ADMIN_CLIENT_SECRET,
    },
  },
  pipeline: { enabled: true, token: PLAIN_SECRETS.PIPELINE_TOKEN },
  ray: { enabled: true, token: PLAIN_SECRETS.RAY_AUTH_TOKEN, nodes: { replicas: 3, runners: 4 } },
};

const EVERYTHING: Values = {
  ...EXTERNAL,
  imagePullSecrets: ['mirror'],
  backup: { enabled: true, place: 's3://backups/media', keep: 7 },
  image: { digest: `sha256:${'a'.repeat(64)}` },
  settings: {
    LOG_LEVEL: 'DEBUG',
    MAX_UPLOAD_BYTES: 5_368_709_120,
    CLEAN_THRESHOLD: 0.5,
    DELETE_DATASET_ENABLED: false,
  },
  extraEnv: [{ name: 'HTTPS_PROXY', value: 'http://proxy.example.com:3128' }],
  pipeline: { enabled: true, existingSecret: 'dms-secrets' },
  trustedCertificates: { existingConfigMap: 'authority' },
  models: { existingClaim: 'models', subPath: 'site', install: ['printed-text_v00'] },
  media: { volumes: [{ name: 'photos', existingClaim: 'photos', subPath: 'originals' }] },
  api: {
    autoscaling: { enabled: true },
    podLabels: { team: 'media' },
    podAnnotations: { note: 'api' },
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'media', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
    priorityClassName: 'system-cluster-critical',
  },
  worker: {
    concurrency: 4,
    autoscaling: { enabled: true, metric: 'queue', queue: { matchLabels: { namespace: 'test' } } },
  },
  ray: { enabled: true, address: 'https://ray.example.com', existingSecret: 'dms-secrets' },
  podSecurity: { runAsUser: 1_000_650_000, runAsGroup: 1_000_650_000 },
  topologySpread: { whenUnsatisfiable: 'DoNotSchedule' },
  serviceAccount: { annotations: { note: 'account' } },
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'tls', annotations: { note: 'ingress' } },
  httpRoute: { enabled: true, parentRefs: [{ name: 'public', namespace: 'gateways' }] },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
  grafanaDashboard: { enabled: true },
  networkPolicy: {
    apiFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
    databaseTo: [{ ipBlock: { cidr: '10.1.0.0/16' } }],
    extraEgress: [{ ports: [{ port: 8000 }] }],
  },
};

export interface Case {
  readonly values: Values;
  readonly files?: readonly string[];
}

export const MATRIX: Readonly<Record<string, Case>> = {
  quickstart: { values: {}, files: ['values-quickstart.yaml'] },
  'external services': { values: EXTERNAL },
  'secrets in values': { values: FROM_VALUES },
  everything: { values: EVERYTHING },
  'a Ray cluster of its own': {
    values: {
      ...EXTERNAL,
      settings: { MEDIA_BUCKETS: 'photos' },
      models: { existingClaim: 'models' },
      media: { volumes: [{ name: 'photos', existingClaim: 'photos' }] },
      ray: {
        enabled: true,
        existingSecret: 'dms-secrets',
        head: { nodeSelector: { disk: 'ssd' } },
        nodes: { tolerations: [{ key: 'gpu', operator: 'Exists' }] },
      },
    },
  },
  'air-gapped': { values: EXTERNAL, files: ['values-airgapped.yaml'] },
  'air-gapped quickstart': { values: {}, files: ['values-quickstart.yaml', 'values-airgapped.yaml'] },
  'Postgres here, S3 outside': {
    values: {
      ...EXTERNAL,
      database: {},
      quickstart: { postgres: { enabled: true, storageClass: 'fast' } },
    },
  },
  'S3 here, Postgres outside, no sign-in': {
    values: {
      database: { existingSecret: 'dms-secrets', directSecretKey: 'DIRECT' },
      secretKey: { generate: true },
      auth: { mode: 'none', allowOpen: true },
      quickstart: { s3: { enabled: true, bucket: 'pictures' } },
    },
  },
  'as little as possible': {
    values: {
      ...EXTERNAL,
      fullnameOverride: 'media',
      networkPolicy: { enabled: false },
      migration: { enabled: false },
      backup: { enabled: true, existingClaim: 'backups' },
      topologySpread: { enabled: false },
      serviceAccount: { create: false, name: 'media' },
      api: { replicas: 1, drainSeconds: 0, podDisruptionBudget: { enabled: false } },
      worker: { replicas: 0, podDisruptionBudget: { enabled: false } },
    },
  },
};
