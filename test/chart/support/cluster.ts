import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { CHART, helm, kubectl } from './programs';
import type { Manifest, Values } from './rendered';

const PAUSE_MS = 300;

/** A namespace with the Pod Security level "restricted". It is not deleted before the server ends. */
export async function createNamespace(): Promise<string> {
  const name = `test-${randomBytes(4).toString('hex')}`;
  await kubectl(['create', 'namespace', name]);
  const levels = ['enforce', 'warn', 'audit'].map((mode) => `pod-security.kubernetes.io/${mode}=restricted`);
  await kubectl(['label', 'namespace', name, ...levels]);
  return name;
}

export async function get(namespace: string, kind: string): Promise<Manifest[]> {
  const text = await kubectl(['get', kind, '--namespace', namespace, '--output', 'json']);
  return (JSON.parse(text) as { items: Manifest[] }).items;
}

export async function secret(namespace: string, name: string): Promise<Record<string, string>> {
  const text = await kubectl(['get', 'secret', name, '--namespace', namespace, '--output', 'json']);
  const { data } = JSON.parse(text) as { data: Record<string, string> };
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));
}

interface Ending {
  readonly job: (at: string) => object;
  readonly pod: object;
}

const condition = (type: string, at: string) => ({ type, status: 'True', lastProbeTime: at, lastTransitionTime: at });

const SUCCESS: Ending = {
  job: (at) => ({
    startTime: at,
    completionTime: at,
    succeeded: 1,
    conditions: [condition('SuccessCriteriaMet', at), condition('Complete', at)],
  }),
  pod: { phase: 'Succeeded' },
};
const FAILURE: Ending = {
  job: (at) => ({ startTime: at, failed: 1, conditions: [condition('FailureTarget', at), condition('Failed', at)] }),
  pod: { phase: 'Failed' },
};

/** Whether the object has already ended during an earlier call of Helm, which keeps failed objects. */
function hasEnded(object: Manifest): boolean {
  const { status = {} } = object as { status?: { phase?: string; conditions?: { type: string }[] } };
  const isOver = (status.conditions ?? []).some(({ type }) => type === 'Complete' || type === 'Failed');
  return isOver || status.phase === 'Succeeded' || status.phase === 'Failed';
}

/** Simulates nodes, which this cluster does not have: marks each Job and each test pod as ended. */
export class PretendedNodes {
  readonly ended: string[] = [];
  private readonly seen = new Set<string>();
  private stopping = false;
  private readonly running: Promise<void>;

  private constructor(
    private readonly namespace: string,
    private readonly ending: Ending,
  ) {
    this.running = this.loop();
  }

  /** Returns the result of the work, and the names of the objects that ended meanwhile. */
  static async during<T>(
    namespace: string,
    work: () => Promise<T>,
    { fail = false } = {},
  ): Promise<{ result: T; ended: readonly string[] }> {
    const nodes = new PretendedNodes(namespace, fail ? FAILURE : SUCCESS);
    try {
      // Without nodes the work would wait forever.
      const failed = nodes.running.then(() => new Promise<never>(() => undefined));
      const result = await Promise.race([work(), failed]);
      return { result, ended: nodes.ended };
    } finally {
      nodes.stopping = true;
      await nodes.running;
    }
  }

  private async loop(): Promise<void> {
    while (!this.stopping) {
      for (const each of await get(this.namespace, 'jobs,pods')) await this.end(each);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  private async end(object: Manifest): Promise<void> {
    const { kind, metadata } = object;
    const { uid } = metadata as unknown as { uid: string };
    if (this.seen.has(uid)) return;
    this.seen.add(uid);
    if (hasEnded(object)) return;
    const status = kind === 'Job' ? this.ending.job(new Date().toISOString()) : this.ending.pod;
    const patch = ['--subresource', 'status', '--type', 'merge', '--patch', JSON.stringify({ status })];
    try {
      await kubectl(['patch', kind, metadata.name, '--namespace', this.namespace, ...patch]);
      this.ended.push(`${kind} ${metadata.name}`);
    } catch (error) {
      // Helm may have deleted it meanwhile.
      if (!String(error).includes('NotFound')) throw error;
    }
  }
}

export interface ReleaseOptions {
  readonly values?: Values;
  readonly files?: readonly string[];
  readonly chart?: string;
  readonly fail?: boolean;
}

/** A release named media in a namespace. */
export class Release {
  constructor(readonly namespace: string) {}

  install(options: ReleaseOptions): Promise<readonly string[]> {
    return this.change('install', options);
  }

  upgrade(options: ReleaseOptions): Promise<readonly string[]> {
    return this.change('upgrade', options);
  }

  private change(command: string, { values = {}, files = [], chart = CHART, fail = false }: ReleaseOptions) {
    const all = ['--values', '-', ...files.flatMap((file) => ['--values', join(CHART, file)])];
    return this.run([command, 'media', chart, '--timeout', '8m', ...all], fail, dump(values));
  }

  /** Runs Helm and returns the names of the Jobs and pods that ran. */
  async run(args: readonly string[], fail = false, input?: string): Promise<readonly string[]> {
    const { ended } = await PretendedNodes.during(
      this.namespace,
      () => helm([...args, '--namespace', this.namespace], input),
      { fail },
    );
    return ended;
  }

  async history(): Promise<{ revision: number; status: string; chart: string }[]> {
    const text = await helm(['history', 'media', '--namespace', this.namespace, '--output', 'json']);
    return JSON.parse(text) as { revision: number; status: string; chart: string }[];
  }
}

const folders: string[] = [];

/** A copy of this chart with another version. */
export async function chartOfVersion(version: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dms-chart-'));
  folders.push(folder);
  await cp(CHART, folder, { recursive: true });
  const file = join(folder, 'Chart.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`));
  return folder;
}

export const removeCharts = async (): Promise<void> => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
};

const DEFINITIONS = [
  'httproutes.gateway.networking.k8s.io',
  'rayclusters.ray.io',
  'servicemonitors.monitoring.coreos.com',
  'prometheusrules.monitoring.coreos.com',
];

/** The conditions are null for a moment after creation, which `kubectl wait` treats as an error. */
async function areEstablished(): Promise<boolean> {
  const text = await kubectl(['get', 'customresourcedefinitions', ...DEFINITIONS, '--output', 'json']);
  const { items } = JSON.parse(text) as {
    items: { status?: { conditions?: { type: string; status: string }[] | null } }[];
  };
  return items.every(({ status }) =>
    status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True'),
  );
}

export async function installDefinitions(): Promise<void> {
  await kubectl(['apply', '--server-side', '--force-conflicts', '--filename', process.env.CHART_CRDS!]);
  while (!(await areEstablished())) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
