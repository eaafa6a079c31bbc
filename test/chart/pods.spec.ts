import { environmentSchema } from '../../src/common/platform/config/environment.schema';
import { kubeconform } from './support/programs';
import { MATRIX, PLAIN_SECRETS } from './support/matrix';
import { containersOf, parse, selects, template, workloads, type Labels, type Manifest } from './support/rendered';

const SECRET_VARIABLES = new Set(Object.keys(PLAIN_SECRETS));
/** The variables that the service reads; any other variable is an error in the chart. */
const KNOWN = new Set([
  ...Object.keys(environmentSchema.shape),
  'NODE_EXTRA_CA_CERTS',
  'HTTPS_PROXY',
  'HOME',
  'RAY_AUTH_MODE',
]);

describe.each(Object.entries(MATRIX))('the chart with %s', (_name, { values, files }) => {
  let yaml: string;
  let manifests: Manifest[];

  beforeAll(async () => {
    yaml = await template(values, files);
    manifests = parse(yaml);
  });

  it('renders objects that are valid for the Kubernetes API', async () => {
    const { summary } = JSON.parse(await kubeconform(yaml)) as { summary: Record<string, number> };
    expect(summary).toEqual({ valid: manifests.length, invalid: 0, errors: 0, skipped: 0 });
  });

  it('gives each object its own name and the labels of the release', () => {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { metadata } of manifests) {
      expect(metadata.labels).toMatchObject({
        'app.kubernetes.io/instance': 'test',
        'app.kubernetes.io/name': 'dataset-media-service',
        'app.kubernetes.io/managed-by': 'Helm',
      });
      expect(metadata.name.length).toBeLessThanOrEqual(63);
    }
  });

  it('runs every pod without root, privileges, API token and writable root file system', () => {
    for (const workload of workloads(manifests)) {
      expect(workload.pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(workload.pod.securityContext.runAsUser).toBeGreaterThan(0);
      for (const container of containersOf(workload)) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          privileged: false,
          readOnlyRootFilesystem: true,
          runAsNonRoot: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });

  it('limits the memory of every container', () => {
    for (const { resources } of workloads(manifests).flatMap(containersOf)) {
      expect(resources).toMatchObject({
        requests: { cpu: expect.anything() as unknown, memory: expect.anything() as unknown },
        limits: { memory: expect.anything() as unknown },
      });
    }
  });

  it('passes secrets only by reference, and no variable twice', () => {
    for (const { env = [] } of workloads(manifests).flatMap(containersOf)) {
      const names = env.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const { name, value, valueFrom } of env) {
        const isSecret = SECRET_VARIABLES.has(name) || /PASSWORD|SECRET|TOKEN|MINIO_ROOT/.test(name);
        expect({ name, plain: value !== undefined, secret: valueFrom !== undefined }).toEqual({
          name,
          plain: !isSecret,
          secret: isSecret,
        });
      }
    }
    const visible = JSON.stringify(manifests.filter(({ kind }) => kind !== 'Secret'));
    for (const secret of Object.values(PLAIN_SECRETS)) expect(visible).not.toContain(secret);
  });

  it('refers to keys of Secrets that it creates, or that the administrator named', () => {
    const made = new Map(
      manifests
        .filter(({ kind }) => kind === 'Secret')
        .map(({ metadata, data, stringData }) => [metadata.name, Object.keys({ ...data, ...stringData })]),
    );
    for (const { env = [] } of workloads(manifests).flatMap(containersOf)) {
      for (const { valueFrom } of env) {
        if (valueFrom === undefined || valueFrom.secretKeyRef.name === 'dms-secrets') continue;
        expect(made.get(valueFrom.secretKeyRef.name) ?? []).toContain(valueFrom.secretKeyRef.key);
      }
    }
  });

  it('sets only variables that the service reads, and all that the role needs', () => {
    for (const { name, pod } of workloads(manifests)) {
      const [container] = pod.containers;
      if (!/-(api|worker|migration|backup)$/.test(name)) continue;
      const set = container!.env!.map((variable) => variable.name);
      expect(set.filter((variable) => !KNOWN.has(variable))).toEqual([]);
      expect(set).toEqual(expect.arrayContaining(['DATABASE_URL', 'STORAGE_URL', 'SECRET_KEY', 'ROLE', 'AUTH_MODE']));
      const values = Object.fromEntries(container!.env!.map((variable) => [variable.name, variable.value]));
      expect(values.ROLE).toBe(name.endsWith('-api') ? 'api' : 'worker');
      expect(values).toMatchObject({ HOST: '0.0.0.0', DATA_DIR: '/data' });
    }
  });

  it('selects pods by labels that they have', () => {
    const pods = workloads(manifests);
    const selectors = manifests.flatMap(({ kind, metadata, spec }): [string, Labels][] => {
      const of = (selector: Labels): [string, Labels][] => [[`${kind} ${metadata.name}`, selector]];
      const { selector, podSelector } = (spec ?? {}) as Record<string, { matchLabels: Labels } | undefined>;
      if (kind === 'Service') return of(selector as unknown as Labels);
      if (kind === 'NetworkPolicy') return of(podSelector!.matchLabels);
      return ['Deployment', 'StatefulSet', 'PodDisruptionBudget'].includes(kind) ? of(selector!.matchLabels) : [];
    });
    expect(selectors.length).toBeGreaterThan(3);
    for (const [name, selector] of selectors) {
      const selected = pods.filter(({ labels }) => selects(selector, labels));
      expect({ name, selected: selected.length > 0 }).toEqual({ name, selected: true });
    }
    for (const pod of pods) {
      for (const { labelSelector } of pod.pod.topologySpreadConstraints ?? []) {
        expect(selects(labelSelector.matchLabels, pod.labels)).toBe(true);
      }
    }
  });

  it('mounts only volumes of the pod, and can write to /data and /tmp', () => {
    for (const workload of workloads(manifests)) {
      const claimed = new Set(['data', ...workload.pod.volumes.map(({ name }) => name)]);
      for (const { volumeMounts = [] } of containersOf(workload)) {
        expect(volumeMounts.filter(({ name }) => !claimed.has(name))).toEqual([]);
        expect(new Set(volumeMounts.map(({ mountPath }) => mountPath)).size).toBe(volumeMounts.length);
      }
      if (!/-(api|worker|migration|backup)$/.test(workload.name)) continue;
      const writable = workload.pod.containers[0]!.volumeMounts!.filter(({ readOnly }) => readOnly !== true);
      const backups = workload.pod.volumes.some(({ name }) => name === 'backup') ? ['/backup'] : [];
      expect(writable.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp', ...backups]);
    }
  });
});
