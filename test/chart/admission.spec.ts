import { dump } from 'js-yaml';
import { createNamespace, get, installDefinitions, Release } from './support/cluster';
import { EXTERNAL, MATRIX } from './support/matrix';
import { helm, kubectl } from './support/programs';
import { render, workloads } from './support/rendered';

describe('the API server', () => {
  let namespace: string;

  beforeAll(async () => {
    await installDefinitions();
    namespace = await createNamespace();
    // The ServiceAccounts of the rendered pods.
    for (const name of ['test-dataset-media-service', 'media']) {
      await kubectl(['create', 'serviceaccount', name, '--namespace', namespace]);
    }
  });

  const create = (pod: object): Promise<string> =>
    kubectl(['create', '--namespace', namespace, '--dry-run=server', '--filename', '-'], dump(pod));

  it('refuses a pod without a security context, which shows that admission is active', async () => {
    const pod = { containers: [{ name: 'plain', image: 'plain' }], serviceAccountName: 'media' };
    const refused = create({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'plain' }, spec: pod });
    await expect(refused).rejects.toThrow(/violates PodSecurity "restricted:latest"/);
  });

  it.each(Object.entries(MATRIX))('admits each pod under "restricted": %s', async (_name, { values, files }) => {
    const found = workloads(await render(values, files));
    expect(found.length).toBeGreaterThanOrEqual(3);
    for (const { pod, labels, name } of found) {
      // A controller adds this to the pods of a StatefulSet.
      const volumes = pod.volumes.some((volume) => volume.name === 'data')
        ? pod.volumes
        : [...pod.volumes, { name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
      const metadata = { name: name.slice(-40).replace(/^-+/, ''), labels };
      await expect(create({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { ...pod, volumes } })).resolves.toContain(
        'created (server dry run)',
      );
    }
  });

  it.each(Object.entries(MATRIX))('takes a release, and lets go of it: %s', async (_name, { values, files }) => {
    const own = await createNamespace();
    const release = new Release(own);
    await release.install({ values, files: files ?? [] });
    expect((await release.history()).map(({ status }) => status)).toEqual(['deployed']);
    const warnings = await helm([
      'upgrade',
      'media',
      '--namespace',
      own,
      '--reuse-values',
      '--dry-run=server',
      'helm/dataset-media-service',
    ]);
    expect(warnings).not.toContain('would violate PodSecurity');
    await helm(['uninstall', 'media', '--namespace', own]);
    const left = [...(await get(own, 'deployments,services,statefulsets,networkpolicies,ingresses,configmaps,jobs'))];
    expect(left.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt')).toEqual([]);
  });

  it('runs the test pod for helm test, and fails if the pod does', async () => {
    const own = await createNamespace();
    const release = new Release(own);
    await release.install({ values: EXTERNAL });
    const tested = await release.run(['test', 'media', '--timeout', '8m']);
    expect(tested.filter((name) => name.startsWith('Pod'))).toEqual(['Pod media-dataset-media-service-test']);
    await expect(release.run(['test', 'media', '--timeout', '8m'], true)).rejects.toThrow(/failed/);
  });
});
