import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { blocksOf } from '../chart/support/page';
import { ROOT } from '../chart/support/programs';
import { only, render, workloads, type Manifest, type Workload } from '../chart/support/rendered';
import { ApiClient } from '../support/api-client';
import { freePort } from '../support/free-port';
import { writePicture } from '../support/pictures';
import { waitUntil } from '../support/wait-until';
import { testImage } from './container';
import { PodNetwork } from './pods/network';
import { Pod, type Ending, type Node, type StandIn } from './pods/pod';
import { secretsOf } from './pods/podman-flags';
import { minio, postgres } from './pods/stand-ins';

const run = promisify(execFile);

interface ServicePort {
  readonly name: string;
  readonly port: number;
  readonly targetPort?: string;
}

const RELEASE = 'test-dataset-media-service';

/**
 * The pods of the chart with values-quickstart.yaml, run by podman as rendered, with the image of this build. The images of Postgres and MinIO are
 * not available, so they are not tested: their pods run the Postgres of the tests, with an entry point of these tests, and a MinIO built from source,
 * both on Debian. test/image/pods/network.ts simulates addresses and Services.
 */
describe('the pods of the quickstart', () => {
  let folder: string;
  let manifests: Manifest[];
  let node: Node;
  let browserPort: number;
  const pods: Pod[] = [];
  const cleanups: (() => Promise<unknown>)[] = [];
  let database: Pod;
  let s3: Pod;
  let api: Pod;
  let worker: Pod;
  let url: string;
  let closePostgres: () => void;
  let closeS3: () => void;

  const workload = (name: string): Workload => workloads(manifests).find((each) => each.name === `${RELEASE}-${name}`)!;
  const start = async (name: string, standIn?: StandIn): Promise<Pod> => {
    const pod = await Pod.start(workload(name), node, standIn);
    pods.push(pod);
    return pod;
  };
  const helmTest = async (): Promise<Ending> => (await start('test')).end();
  /** Forwards connections to a Service to its pod. The returned function ends this. */
  const serve = (service: string, pod: Pod): Promise<() => void> => {
    const { ports } = only(manifests, 'Service', service).spec as { ports: ServicePort[] };
    const { name, port, targetPort = name } = ports[0]!;
    return node.network.forward({ host: node.network.node, port }, pod.address(targetPort));
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dms-pods-'));
    cleanups.push(() => rm(folder, { recursive: true, force: true }));
    browserPort = await freePort();
    const [, repository, tag] = /^(.+):([^:/]+)$/.exec(testImage())!;
    manifests = await render(
      { image: { repository, tag }, storage: { publicEndpoint: `http://127.0.0.1:${browserPort}` } },
      ['values-quickstart.yaml'],
    );
    const network = await PodNetwork.create();
    cleanups.push(() => network.remove());
    const services = manifests.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
    node = { network, folder, secrets: secretsOf(manifests), services };
    cleanups.push(async () => {
      for (const pod of pods) await pod.remove();
    });
  });

  afterAll(async () => {
    for (const clean of cleanups.reverse()) await clean();
  });

  it('contain Postgres, and an S3 server with its bucket', async () => {
    [database, s3] = [await start('postgres', postgres()), await start('s3', minio())];
    for (const pod of [database, s3]) await pod.untilReady();
    closePostgres = await serve('-postgres', database);
    closeS3 = await serve('-s3', s3);
    await node.network.forward({ host: '127.0.0.1', port: browserPort }, s3.address('s3'));
  });

  it('migrate an empty database with the Job', async () => {
    const migration = await start('migration');
    const { code, log } = await migration.end();
    expect({ code, log }).toEqual({
      code: 0,
      log: expect.stringContaining('has the schema of this version') as string,
    });
  });

  it('become ready according to their probes', async () => {
    [api, worker] = [await start('api'), await start('worker')];
    for (const pod of [api, worker]) await pod.untilReady();
    await serve(RELEASE, api);
    const port = await freePort();
    await node.network.forward({ host: '127.0.0.1', port }, api.address('http'));
    url = `http://127.0.0.1:${port}`;
    for (const pod of [api, worker]) await expect(pod.isAlive()).resolves.toBe(true);
  });

  it('have no more rights than rendered', async () => {
    for (const pod of [api, worker]) {
      const status = await pod.exec('cat', '/proc/1/status');
      for (const line of ['Uid:\t10001\t10001', 'Gid:\t10001\t10001', 'NoNewPrivs:\t1', 'Seccomp:\t2'])
        expect(status).toContain(line);
      expect(status).toMatch(/^CapBnd:\t0+$/m);
      for (const path of ['/new', '/run/new', '/var/tmp/new'])
        await expect(pod.exec('touch', path)).rejects.toThrow('Read-only file system');
    }
  });

  it('pass the command of helm test', async () => {
    const { code, log } = await helmTest();
    expect({ code, log }).toEqual({ code: 0, log: expect.stringContaining('/health/ready 200') as string });
    expect(log).toContain('/api/v1/docs 200');
  });

  it('create the first dataset of docs/install.md on the worker', async () => {
    const pictures = join(folder, 'pictures');
    for (const [seed, name] of ['one.jpg', 'two.jpg'].entries()) await writePicture(join(pictures, name), seed);
    const page = await readFile(join(ROOT, 'docs', 'install.md'), 'utf8');
    const { text } = blocksOf(page).find((block) => block.text.includes('new_dataset'))!;
    const { stdout } = await run('bash', ['-euc', text.replace('http://127.0.0.1:3000', url)], { cwd: pictures });
    expect(stdout).toContain('READY');
    expect(stdout).toContain('"one.jpg"');
    const ended = async (pod: Pod): Promise<string> => {
      const { host, port } = pod.address('metrics');
      const metrics = await (await fetch(`http://${host}:${port}/metrics`)).text();
      return metrics
        .split('\n')
        .filter((line) => line.startsWith('jobs_ended_total{'))
        .join('\n');
    };
    expect(await ended(worker)).toBe('jobs_ended_total{type="index-dataset",outcome="succeeded"} 1');
    expect(await ended(api)).toBe('');
  });

  it('serve pictures to browsers from the S3 server', async () => {
    const client = new ApiClient(url);
    const [dataset] = await client.must<{ id: string }[]>(200, 'GET', '/api/v1/datasets');
    const found = await client.must<object>(200, 'GET', `/api/v1/explore/${dataset!.id}?threshold=3`);
    const [, picture] = /"media_uri":"([^"]+)"/.exec(JSON.stringify(found))!;
    expect(new URL(picture!, url).port).toBe(String(browserPort));
    const response = await fetch(picture!);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/jpeg');
  });

  it('stay within the size limits of their volumes', async () => {
    for (const pod of [api, worker]) {
      expect(await pod.overfull()).toEqual([]);
      await expect(pod.isAlive()).resolves.toBe(true);
    }
  });

  it('end within the grace period, the API after its connections have drained', async () => {
    const ending = api.terminate();
    await waitUntil(async () => !(await api.isReady()));
    await expect(api.isAlive()).resolves.toBe(true);
    const endings = [await ending, await worker.terminate()];
    console.log(`ended after ${endings.map(({ seconds }) => seconds.toFixed(1)).join(' and ')} s`);
    for (const [index, pod] of [api, worker].entries()) {
      expect(endings[index]!.code).toBe(0);
      expect(endings[index]!.seconds).toBeLessThan(pod.grace);
    }
  });

  it('fail the command of helm test if the API is down', async () => {
    const { code, log } = await helmTest();
    expect({ code, log }).toEqual({ code: 1, log: expect.stringContaining('fetch failed') as string });
  });

  it('wait for Postgres and the S3 server, because Helm starts all pods at once', async () => {
    closePostgres();
    closeS3();
    [api, worker] = [await start('api'), await start('worker')];
    const both = [api, worker];
    const untilLogged = (text: string): Promise<unknown> =>
      Promise.all(both.map((pod) => waitUntil(async () => (await pod.log()).includes(text))));
    await untilLogged('Waiting for Postgres at');
    await serve('-postgres', database);
    await untilLogged('Waiting for the store since');
    await serve('-s3', s3);
    for (const pod of both) await pod.untilReady();
  });
});
