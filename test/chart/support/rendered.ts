import { dump, loadAll } from 'js-yaml';
import { CHART, helm, KUBERNETES } from './programs';

export type Values = Readonly<Record<string, unknown>>;

export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}

export interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string };
  readonly exec?: { readonly command: readonly string[] };
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly failureThreshold?: number;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly Variable[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources: { readonly requests?: object; readonly limits?: object };
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

export interface PodSpec {
  readonly serviceAccountName: string;
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes: readonly { readonly name: string; readonly [kind: string]: unknown }[];
  readonly topologySpreadConstraints?: readonly {
    readonly topologyKey: string;
    readonly labelSelector: { readonly matchLabels: Labels };
  }[];
  readonly imagePullSecrets?: readonly { readonly name: string }[];
}

export type Labels = Readonly<Record<string, string>>;

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Labels; readonly annotations?: Labels };
  // The fields depend on the kind; tests read those of the kinds that they know.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly spec: any;
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
}

/** Renders the chart with values and files of values. */
export function template(values: Values, files: readonly string[] = []): Promise<string> {
  const args = ['template', 'test', CHART, '--namespace', 'test', '--kube-version', KUBERNETES];
  return helm([...args, ...files.flatMap((file) => ['--values', `${CHART}/${file}`]), '--values', '-'], dump(values));
}

export const parse = (yaml: string): Manifest[] =>
  loadAll(yaml).filter((each): each is Manifest => each !== null && each !== undefined);

export async function render(values: Values, files: readonly string[] = []): Promise<Manifest[]> {
  return parse(await template(values, files));
}

export function only(manifests: readonly Manifest[], kind: string, name = ''): Manifest {
  const found = manifests.filter((each) => each.kind === kind && each.metadata.name.endsWith(name));
  if (found.length !== 1) throw new Error(`There are ${found.length} of ${kind} …${name}`);
  return found[0]!;
}

export interface Workload {
  readonly name: string;
  readonly kind: string;
  readonly labels: Labels;
  readonly pod: PodSpec;
}

interface PodMaker {
  readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
}

interface CronJobSpec {
  readonly jobTemplate: { readonly spec: PodMaker };
}

interface RayClusterSpec {
  readonly headGroupSpec: PodMaker;
  readonly workerGroupSpecs: readonly (PodMaker & { readonly groupName: string })[];
}

const nodesOf = (cluster: string, { headGroupSpec, workerGroupSpecs }: RayClusterSpec): Workload[] =>
  [{ ...headGroupSpec, groupName: 'head' }, ...workerGroupSpecs].map(({ groupName, template: { metadata, spec } }) => ({
    name: `${cluster}-${groupName}`,
    kind: 'RayCluster',
    labels: metadata.labels,
    pod: spec,
  }));

/** All objects that create pods. */
export function workloads(manifests: readonly Manifest[]): Workload[] {
  return manifests.flatMap(({ kind, metadata, spec }): Workload[] => {
    if (kind === 'Pod') return [{ name: metadata.name, kind, labels: metadata.labels, pod: spec as PodSpec }];
    if (kind === 'RayCluster') return nodesOf(metadata.name, spec as RayClusterSpec);
    if (!['Deployment', 'StatefulSet', 'Job', 'CronJob'].includes(kind)) return [];
    const { template } = (kind === 'CronJob' ? (spec as CronJobSpec).jobTemplate.spec : spec) as PodMaker;
    return [{ name: metadata.name, kind, labels: template.metadata.labels, pod: template.spec }];
  });
}

export const containersOf = ({ pod }: Workload): Container[] => [...(pod.initContainers ?? []), ...pod.containers];

export const selects = (selector: Labels, labels: Labels): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);
