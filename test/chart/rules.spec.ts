import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { MONITORING } from '../support/monitoring-files';
import { EXTERNAL, MATRIX } from './support/matrix';
import { run, VERSION } from './support/programs';
import { only, render, workloads, type Manifest, type PodSpec, type Probe, type Values } from './support/rendered';

const podOf = (manifests: readonly Manifest[], component: string): PodSpec =>
  (only(manifests, 'Deployment', `-${component}`).spec as { template: { spec: PodSpec } }).template.spec;

const patience = ({ periodSeconds = 10, failureThreshold = 3 }: Probe): number => periodSeconds * failureThreshold;

const variables = (pod: PodSpec): Record<string, string | undefined> =>
  Object.fromEntries(pod.containers[0]!.env!.map(({ name, value }) => [name, value]));

const networkPolicy = (manifests: readonly Manifest[], name: string): Record<string, unknown> =>
  only(manifests, 'NetworkPolicy', name).spec as Record<string, unknown>;

describe('the chart', () => {
  it('allows a slow start, and soon detects a process that hangs', async () => {
    const manifests = await render(EXTERNAL);
    for (const component of ['api', 'worker']) {
      const { startupProbe, livenessProbe, readinessProbe } = podOf(manifests, component).containers[0]!;
      expect(startupProbe!.httpGet).toEqual({ path: '/health/live', port: 'http' });
      expect(patience(startupProbe!)).toBe(600);
      // A failed dependency makes a pod unready, but does not restart it.
      expect(livenessProbe!.httpGet).toEqual({ path: '/health/live', port: 'http' });
      expect(patience(livenessProbe!)).toBe(60);
      expect(readinessProbe!.httpGet).toEqual({ path: '/health/ready', port: 'http' });
      // The service itself takes up to 3 seconds to report that a dependency does not respond.
      expect(readinessProbe!.timeoutSeconds).toBeGreaterThan(3);
    }
  });

  it('replaces pods without downtime, with time for a graceful shutdown', async () => {
    const manifests = await render(EXTERNAL);
    const { strategy } = only(manifests, 'Deployment', '-api').spec as { strategy: unknown };
    expect(strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
    const pod = podOf(manifests, 'api');
    expect(pod.containers[0]!.env).toContainEqual({ name: 'DRAIN_SECONDS', value: '10' });
    expect(podOf(manifests, 'worker').containers[0]!.env!.map(({ name }) => name)).not.toContain('DRAIN_SECONDS');
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(10 + 30);
    expect(podOf(manifests, 'worker').terminationGracePeriodSeconds).toBeGreaterThanOrEqual(30);
    const spread = pod.topologySpreadConstraints!.map(({ topologyKey }) => topologyKey);
    expect(spread).toEqual(['topology.kubernetes.io/zone', 'kubernetes.io/hostname']);
    expect(only(manifests, 'PodDisruptionBudget', '-api').spec).toMatchObject({ maxUnavailable: 1 });
  });

  it('sets no number of replicas if there is an autoscaler', async () => {
    const { values } = MATRIX.everything!;
    const manifests = await render(values);
    for (const name of ['-api', '-worker']) {
      expect(only(manifests, 'Deployment', name).spec).not.toHaveProperty('replicas');
      const target = (only(manifests, 'HorizontalPodAutoscaler', name).spec as { scaleTargetRef: { name: string } })
        .scaleTargetRef.name;
      expect(target).toBe(only(manifests, 'Deployment', name).metadata.name);
    }
    const { metrics } = only(manifests, 'HorizontalPodAutoscaler', '-worker').spec as { metrics: unknown[] };
    expect(metrics).toEqual([
      {
        type: 'External',
        external: {
          metric: { name: 'jobs_oldest_waiting_seconds', selector: { matchLabels: { namespace: 'test' } } },
          target: { type: 'Value', value: '60' },
        },
      },
    ]);
    expect(only(await render(EXTERNAL), 'Deployment', '-api').spec).toHaveProperty('replicas', 2);
  });

  it('writes settings in the format of the service', async () => {
    const { values } = MATRIX.everything!;
    const manifests = await render(values);
    expect(variables(podOf(manifests, 'api'))).toMatchObject({
      LOG_LEVEL: 'DEBUG',
      MAX_UPLOAD_BYTES: '5368709120',
      CLEAN_THRESHOLD: '0.5',
      DELETE_DATASET_ENABLED: 'false',
      HTTPS_PROXY: 'http://proxy.example.com:3128',
      MODELS_DIR: '/models',
      MEDIA_ROOTS: '/media',
      NODE_EXTRA_CA_CERTS: '/etc/dataset-media-service/certificates/ca.crt',
    });
    expect(variables(podOf(manifests, 'worker'))).toMatchObject({ WORKER_CONCURRENCY: '4', MODELS_DIR: '/models' });
    expect(podOf(manifests, 'api').securityContext).toMatchObject({ runAsUser: 1_000_650_000 });
  });

  it('gives all processes the second secret key of a rotation', async () => {
    const secretKey = { existingSecret: 'dms-secrets', acceptedSecretKey: 'NEW_SECRET_KEY' };
    const manifests = await render({ ...EXTERNAL, secretKey });
    for (const component of ['api', 'worker'])
      expect(podOf(manifests, component).containers[0]!.env).toContainEqual({
        name: 'ACCEPTED_SECRET_KEY',
        valueFrom: { secretKeyRef: { name: 'dms-secrets', key: 'NEW_SECRET_KEY' } },
      });
    await expect(render({ ...EXTERNAL, secretKey: { generate: true, acceptedSecretKey: 'NEW' } })).rejects.toThrow(
      'secretKey.acceptedSecretKey names a key of the Secret in secretKey.existingSecret',
    );
  });

  it('names images by digest, from the mirror', async () => {
    const images = (manifests: Manifest[]): string[] =>
      workloads(manifests).flatMap(({ pod }) =>
        [...(pod.initContainers ?? []), ...pod.containers].map(({ image }) => image),
      );
    const { values, files } = MATRIX['air-gapped quickstart']!;
    const mirrored = images(await render(values, files));
    expect(mirrored.filter((image) => !/^registry\.internal\.example\/.+@sha256:[0-9a-f]{64}$/.test(image))).toEqual(
      [],
    );
    expect(images(await render(EXTERNAL))).toContain(`dataset-media-service:${VERSION}`);
  });

  it('mounts the models of an init container read-only in all pods that use them', async () => {
    const { values, files } = MATRIX['air-gapped']!;
    const pod = podOf(await render(values, files), 'worker');
    expect(pod.initContainers).toMatchObject([{ command: ['cp'], args: ['-R', '/export/.', '/models/'] }]);
    expect(pod.containers[0]!.volumeMounts).toContainEqual({ name: 'models', mountPath: '/models', readOnly: true });
  });

  it('installs models into the claim before the service starts, which only reads them', async () => {
    const { values } = MATRIX.everything!;
    const pod = podOf(await render(values), 'worker');
    const [installation] = pod.initContainers!;
    expect(installation).toMatchObject({
      image: pod.containers[0]!.image,
      args: ['node', 'dist/commands/models.js', 'install', 'printed-text_v00'],
    });
    expect(installation!.env).toContainEqual({ name: 'HTTPS_PROXY', value: 'http://proxy.example.com:3128' });
    expect(installation!.volumeMounts).toContainEqual({ name: 'models', mountPath: '/data/models', subPath: 'site' });
    expect(pod.volumes).toContainEqual({
      name: 'models',
      persistentVolumeClaim: { claimName: 'models', readOnly: false },
    });
    const mount = pod.containers[0]!.volumeMounts!.find(({ name }) => name === 'models');
    expect(mount).toEqual({ name: 'models', mountPath: '/models', readOnly: true, subPath: 'site' });
  });

  it('installs models into each pod without a claim', async () => {
    const pod = podOf(await render({ ...EXTERNAL, models: { install: ['printed-text_v00'] } }), 'api');
    expect(pod.volumes).toContainEqual({ name: 'models', emptyDir: { sizeLimit: '10Gi' } });
    expect(variables(pod)).toMatchObject({ MODELS_DIR: '/models' });
  });

  it('migrates before an upgrade and a rollback, with a command of the image and the new secrets', async () => {
    const { values } = MATRIX['secrets in values']!;
    const manifests = await render(values);
    const job = only(manifests, 'Job', '-migration');
    expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'post-install,pre-upgrade,pre-rollback' });
    const { args, env } = workloads([job])[0]!.pod.containers[0]!;
    expect(args).toEqual(['node', 'dist/commands/migrate.js']);
    const secret = manifests.find(({ kind, metadata }) => kind === 'Secret' && metadata.name === job.metadata.name)!;
    expect(secret.metadata.annotations).toMatchObject({ 'helm.sh/hook-weight': '-5' });
    const named = env!.flatMap(({ valueFrom }) => (valueFrom === undefined ? [] : [valueFrom.secretKeyRef.name]));
    expect(new Set(named)).toEqual(new Set([job.metadata.name]));
  });

  it('makes backups with a command of the image, to a bucket or a volume', async () => {
    const argsIn = async (values: Values): Promise<readonly string[] | undefined> =>
      workloads([only(await render(values), 'CronJob', '-backup')])[0]!.pod.containers[0]!.args;
    const command = ['node', 'dist/commands/backup.js'];
    expect(await argsIn(MATRIX.everything!.values)).toEqual([...command, 's3://backups/media', '--keep', '7']);
    const { values } = MATRIX['as little as possible']!;
    expect(await argsIn(values)).toEqual([...command, '/backup', '--keep', '14']);
  });

  it('contains the alert rules and the dashboard of the service unchanged', async () => {
    const manifests = await render({ ...MATRIX.everything!.values, nameOverride: 'media' });
    const { groups } = only(manifests, 'PrometheusRule', '').spec as { groups: unknown };
    const file = await readFile(join(MONITORING, 'alerts.yaml'), 'utf8');
    expect({ groups }).toEqual(load(file.replaceAll('job="dataset-media-service"', 'job="media"')));
    const { data } = only(manifests, 'ConfigMap', '-dashboard') as unknown as { data: Record<string, string> };
    const dashboard = await readFile(join(MONITORING, 'dashboard.json'), 'utf8');
    expect(Object.values(data).map((text) => JSON.parse(text) as unknown)).toEqual([JSON.parse(dashboard)]);
  });

  it('denies all traffic except what is needed', async () => {
    const manifests = await render(EXTERNAL);
    expect(networkPolicy(manifests, '-default-deny')).toMatchObject({ policyTypes: ['Ingress', 'Egress'] });
    expect(networkPolicy(manifests, '-default-deny')).not.toHaveProperty('ingress');
    expect(networkPolicy(manifests, '-default-deny')).not.toHaveProperty('egress');
    const { egress } = networkPolicy(manifests, '-outgoing') as { egress: { ports: { port: number }[] }[] };
    expect(egress.map(({ ports }) => ports.map(({ port }) => port))).toEqual([[53, 53], [5432], [443], [443]]);
    const { ingress } = networkPolicy(manifests, '-worker') as { ingress: unknown[] };
    expect(ingress).toEqual([{ ports: [{ port: 'metrics' }], from: [{ namespaceSelector: {} }] }]);
  });

  it('allows only the service to connect to the Postgres and the store of a trial', async () => {
    const { values, files } = MATRIX.quickstart!;
    const manifests = await render(values, files);
    for (const [name, port] of [
      ['-postgres', 5432],
      ['-s3', 9000],
    ] as const) {
      const { ingress } = networkPolicy(manifests, name) as {
        ingress: { ports: unknown; from: { podSelector: { matchExpressions: { values: string[] }[] } }[] }[];
      };
      expect(ingress[0]!.ports).toEqual([{ port }]);
      expect(ingress[0]!.from[0]!.podSelector.matchExpressions[0]!.values).toEqual([
        'api',
        'worker',
        'migration',
        'backup',
      ]);
    }
  });

  it('sets ALLOWED_HOSTS for an open service with a URL, so that pages of other sites cannot reach it', async () => {
    const hostsOf = async (values: Values, files?: readonly string[]): Promise<unknown> =>
      variables(podOf(await render(values, files), 'api'))['ALLOWED_HOSTS'];
    const { values, files } = MATRIX.quickstart!;
    const service = 'test-dataset-media-service';
    const inNamespace = `${service}.test`;
    expect(await hostsOf(values, files)).toBe(
      [service, inNamespace, `${inNamespace}.svc`, `${inNamespace}.svc.cluster.local`].join(','),
    );
    const open = MATRIX['S3 here, Postgres outside, no sign-in']!.values;
    expect(await hostsOf(open)).toBeUndefined();
    const named = { ...open, auth: { ...(open['auth'] as object), allowedHosts: ['box.lan'] } };
    expect(await hostsOf(named)).toMatch(/,box\.lan$/);
    expect(await hostsOf(EXTERNAL)).toBeUndefined();
  });

  it('configures Ray nodes with the store and a token, but without the database and the secret key', async () => {
    const { values } = MATRIX['a Ray cluster of its own']!;
    const manifests = await render(values);
    const { name } = only(manifests, 'RayCluster').metadata;
    for (const component of ['api', 'worker'])
      expect(variables(podOf(manifests, component))).toMatchObject({
        ENGINE: 'ray',
        RAY_ADDRESS: `http://${name}-head-svc:8265`,
      });
    const nodes = workloads(manifests).filter(({ kind }) => kind === 'RayCluster');
    expect(nodes).toHaveLength(2);
    for (const { pod } of nodes) {
      const env = pod.containers[0]!.env!;
      expect(env).toContainEqual({
        name: 'RAY_AUTH_TOKEN',
        valueFrom: { secretKeyRef: { name: 'dms-secrets', key: 'RAY_AUTH_TOKEN' } },
      });
      const given = variables(pod);
      expect(given).toMatchObject({ RAY_AUTH_MODE: 'token', MEDIA_ROOTS: '/media', MEDIA_BUCKETS: 'photos' });
      for (const secret of ['DATABASE_URL', 'SECRET_KEY', 'OIDC_CLIENT_SECRET'])
        expect(given).not.toHaveProperty(secret);
      expect(pod.containers[0]!.image).toBe(`dataset-media-service-ray:${VERSION}`);
    }
    const { egress } = networkPolicy(manifests, '-outgoing') as { egress: { ports: { port: number }[] }[] };
    expect(egress.flatMap(({ ports }) => ports.map(({ port }) => port))).toContain(8265);
  });

  it('enables the autoscaler of Ray if configured, and refuses a cluster without a token', async () => {
    const nodes = { autoscaling: { enabled: true, minReplicas: 1, maxReplicas: 8 } };
    const manifests = await render({ ...EXTERNAL, ray: { enabled: true, existingSecret: 'dms-secrets', nodes } });
    expect(only(manifests, 'RayCluster').spec).toMatchObject({
      enableInTreeAutoscaling: true,
      workerGroupSpecs: [{ minReplicas: 1, maxReplicas: 8 }],
    });
    await expect(render({ ...EXTERNAL, ray: { enabled: true } })).rejects.toThrow('The Ray cluster needs a token');
  });

  it('creates no Ray cluster if an existing one is configured', async () => {
    const manifests = await render(MATRIX.everything!.values);
    expect(manifests.map(({ kind }) => kind)).not.toContain('RayCluster');
    expect(variables(podOf(manifests, 'worker'))).toMatchObject({ RAY_ADDRESS: 'https://ray.example.com' });
  });

  it('routes the host of the public URL to the API', async () => {
    const manifests = await render(MATRIX.everything!.values);
    const service = only(manifests, 'Service', '-service').metadata.name;
    expect(JSON.stringify(only(manifests, 'Ingress').spec)).toContain(`"name":"${service}"`);
    expect(only(manifests, 'Ingress').spec).toMatchObject({
      tls: [{ hosts: ['media.example.com'], secretName: 'tls' }],
      rules: [{ host: 'media.example.com' }],
    });
    expect(only(manifests, 'HTTPRoute').spec).toMatchObject({
      hostnames: ['media.example.com'],
      rules: [{ backendRefs: [{ name: service, port: 80 }] }],
    });
  });

  it('serves metrics on a separate port for the cluster, not on the routed port', async () => {
    const manifests = await render(MATRIX.everything!.values);
    expect(only(manifests, 'ServiceMonitor').spec).toMatchObject({
      endpoints: [{ port: 'metrics', path: '/metrics' }],
    });
    for (const component of ['api', 'worker']) {
      const pod = podOf(manifests, component);
      const { containerPort } = pod.containers[0]!.ports!.find(({ name }) => name === 'metrics')!;
      expect(variables(pod)).toMatchObject({ METRICS_PORT: String(containerPort) });
    }
    const services = manifests.filter(({ kind }) => kind === 'Service');
    const routed = services.find(({ metadata }) => metadata.name.endsWith('-service'))!.spec as { ports: object[] };
    expect(routed.ports).not.toContainEqual(expect.objectContaining({ targetPort: 'metrics' }));
    const shown = services.filter(({ spec }) => JSON.stringify(spec).includes('"targetPort":"metrics"'));
    expect(shown.map(({ metadata }) => metadata.labels['app.kubernetes.io/component']).sort()).toEqual([
      'api',
      'worker',
    ]);
    for (const { spec } of shown) expect(spec).toMatchObject({ clusterIP: 'None' });
    const { ingress } = networkPolicy(await render(EXTERNAL), '-api') as { ingress: { ports: { port: string }[] }[] };
    expect(ingress[1]).toEqual({ ports: [{ port: 'metrics' }], from: [{ namespaceSelector: {} }] });
    expect(ingress[0]!.ports).toEqual([{ port: 'http' }]);
  });

  it('tests an installation with a program that only succeeds for a healthy service', async () => {
    const [{ pod } = { pod: undefined }] = workloads([only(await render(EXTERNAL), 'Pod', '-test')]);
    const { args } = pod!.containers[0]!;
    let status = 200;
    const server = createServer((_request, response) => response.writeHead(status).end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const target = `TARGET=http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const attempt = (): Promise<string> => run('env', [target, process.execPath, ...args!.slice(1)]);
    try {
      await expect(attempt()).resolves.toMatch(/^\/health\/ready 200 \{\}\n\/api\/v1\/docs 200/);
      status = 503;
      await expect(attempt()).rejects.toThrow(/\/health\/ready 503/);
    } finally {
      server.close();
    }
    await expect(attempt()).rejects.toThrow(/ECONNREFUSED/);
  });
});
