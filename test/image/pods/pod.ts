import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Container, PodSpec, Probe, Workload } from '../../chart/support/rendered';
import { waitUntil } from '../../support/wait-until';
import { LIMITS, podman } from '../container';
import { bytesOf, flagsOf, podSecurityOf, refuseUnknown, type Secrets } from './podman-flags';
import type { Place, PodNetwork } from './network';

const run = promisify(execFile);

/** The data that all pods of a release share. */
export interface Node {
  readonly network: PodNetwork;
  /** The folder of their volumes. */
  readonly folder: string;
  readonly secrets: Secrets;
  /** The Services that pods can resolve by name. */
  readonly services: readonly string[];
}

/** An image that replaces the rendered one, and missing files, by their path in the container. */
export interface StandIn {
  readonly image: string;
  readonly files: Readonly<Record<string, string>>;
  /** Used if the pod has no command. */
  readonly entrypoint?: string;
}

interface Volume {
  readonly name: string;
  readonly folder: string;
  readonly limit: number;
  readonly inMemory: boolean;
}

interface EmptyDir {
  readonly sizeLimit?: string;
  readonly medium?: string;
}

export interface Ending {
  readonly code: number;
  readonly log: string;
  readonly seconds: number;
}

const limitOf = ({ sizeLimit }: EmptyDir): number => (sizeLimit === undefined ? Infinity : bytesOf(sizeLimit));

/** New folders for temporary volumes and claims, with the group of the pod, like those of the kubelet. */
async function makeVolumes(place: string, { pod, kind, name: workload }: Workload): Promise<Volume[]> {
  const { fsGroup } = podSecurityOf(pod);
  const folder = await mkdtemp(join(place, `${workload}-`));
  const scratch = pod.volumes.map((volume) => {
    const emptyDir = volume.emptyDir as EmptyDir;
    refuseUnknown(`The volume ${volume.name}`, volume, ['name', 'emptyDir']);
    refuseUnknown(`The volume ${volume.name}`, emptyDir, ['sizeLimit', 'medium']);
    return { name: volume.name, mode: 0o2777, limit: limitOf(emptyDir), inMemory: emptyDir.medium === 'Memory' };
  });
  const claims = kind === 'StatefulSet' ? [{ name: 'data', mode: 0o2775, limit: Infinity, inMemory: false }] : [];
  const volumes: Volume[] = [];
  for (const { mode, ...volume } of [...scratch, ...claims]) {
    const path = join(folder, volume.name);
    await mkdir(path);
    await chown(path, 0, fsGroup);
    await chmod(path, mode);
    volumes.push({ ...volume, folder: path });
  }
  return volumes;
}

function mountFlags({ volumeMounts = [] }: Container, volumes: readonly Volume[]): string[] {
  return volumeMounts.flatMap((mount) => {
    refuseUnknown(`The mount ${mount.mountPath}`, mount, ['name', 'mountPath', 'readOnly']);
    const volume = volumes.find(({ name }) => name === mount.name);
    if (volume === undefined) throw new Error(`There is no volume ${mount.name} for ${mount.mountPath}.`);
    if (volume.inMemory) return ['--tmpfs', `${mount.mountPath}:size=${volume.limit},mode=1777`];
    return ['--volume', `${volume.folder}:${mount.mountPath}${mount.readOnly === true ? ':ro' : ''}`];
  });
}

const onlyContainer = ({ containers }: PodSpec): Container => {
  if (containers.length !== 1) throw new Error(`The pod has ${containers.length} containers.`);
  return containers[0]!;
};

/** A rendered pod as a podman container, with the probes and the shutdown of a kubelet. */
export class Pod {
  readonly container: Container;

  private constructor(
    private readonly workload: Workload,
    private readonly id: string,
    private readonly place: Place,
    private readonly volumes: readonly Volume[],
  ) {
    this.container = onlyContainer(workload.pod);
  }

  static async start(workload: Workload, node: Node, standIn?: StandIn): Promise<Pod> {
    const container = onlyContainer(workload.pod);
    const place = await node.network.join();
    const volumes = await makeVolumes(node.folder, workload);
    const files = Object.entries(standIn?.files ?? {});
    const id = await podman(
      ...['run', '--detach', ...LIMITS, `--network=ns:${place.namespace}`, `--hostname=${workload.name}`],
      ...node.services.map((name) => `--add-host=${name}:${node.network.node}`),
      ...flagsOf(workload.pod, container, node.secrets),
      ...mountFlags(container, volumes),
      ...(standIn?.entrypoint === undefined ? [] : [`--entrypoint=${standIn.entrypoint}`]),
      ...files.flatMap(([inside, outside]) => ['--volume', `${outside}:${inside}:ro`]),
      standIn?.image ?? container.image,
      ...(container.args ?? []),
    );
    return new Pod(workload, id, place, volumes);
  }

  /** The address of a port with the given name. */
  address(name: string): { readonly host: string; readonly port: number } {
    const port = this.container.ports!.find((each) => each.name === name)!.containerPort;
    return { host: this.place.address, port };
  }

  async passes({ exec, httpGet, timeoutSeconds = 1 }: Probe): Promise<boolean> {
    if (exec !== undefined)
      return this.exec(...exec.command).then(
        () => true,
        () => false,
      );
    const { host, port } = this.address(httpGet!.port);
    const options = { redirect: 'manual', signal: AbortSignal.timeout(timeoutSeconds * 1000) } as const;
    return fetch(`http://${host}:${port}${httpGet!.path}`, options).then(
      ({ status }) => status >= 200 && status < 400,
      () => false,
    );
  }

  isAlive(): Promise<boolean> {
    return this.passes(this.container.livenessProbe!);
  }

  isReady(): Promise<boolean> {
    return this.passes(this.container.readinessProbe!);
  }

  async untilReady(): Promise<void> {
    for (const probe of [this.container.startupProbe!, this.container.readinessProbe!]) {
      await waitUntil(async () => {
        if (!(await this.isRunning())) throw new Error(`${this.workload.name} ended:\n${await this.log()}`);
        return this.passes(probe);
      });
    }
  }

  exec(...command: readonly string[]): Promise<string> {
    return podman('exec', this.id, ...command);
  }

  /** Waits until it ends without a signal. */
  async end(): Promise<Ending> {
    const started = performance.now();
    const code = Number(await podman('wait', this.id));
    return { code, log: await this.log(), seconds: (performance.now() - started) / 1000 };
  }

  /** Sends SIGTERM, and SIGKILL after the grace period, which gives the exit code 137. */
  async terminate(): Promise<Ending> {
    const ending = this.end();
    await podman('stop', '--time', String(this.grace), this.id);
    return ending;
  }

  get grace(): number {
    return this.workload.pod.terminationGracePeriodSeconds;
  }

  /** The volumes for which a kubelet would evict the pod. */
  async overfull(): Promise<string[]> {
    const names: string[] = [];
    for (const { name, folder, limit } of this.volumes) {
      const { stdout } = await run('du', ['-s', '-B1', folder]);
      if (Number.parseInt(stdout, 10) > limit) names.push(name);
    }
    return names;
  }

  /** The output on both streams. */
  async log(): Promise<string> {
    const { stdout, stderr } = await run('podman', ['logs', this.id]);
    return `${stdout}\n${stderr}`;
  }

  async remove(): Promise<void> {
    await podman('rm', '--force', '--time', '0', this.id);
  }

  private async isRunning(): Promise<boolean> {
    return (await podman('inspect', this.id, '--format', '{{.State.Running}}')) === 'true';
  }
}
