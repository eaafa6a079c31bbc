import type { Container, Manifest, PodSpec, Variable } from '../../chart/support/rendered';

/** Fields of a pod that the flags support, or that have no effect without an API server and other nodes. */
const POD = [
  ...['containers', 'volumes', 'securityContext', 'terminationGracePeriodSeconds'],
  ...['serviceAccountName', 'automountServiceAccountToken', 'enableServiceLinks'],
  ...['restartPolicy', 'topologySpreadConstraints'],
];
const POD_SECURITY = [
  ...['runAsNonRoot', 'runAsUser', 'runAsGroup', 'fsGroup', 'fsGroupChangePolicy', 'seccompProfile'],
];
const CONTAINER = [
  ...['name', 'image', 'imagePullPolicy', 'command', 'args', 'env', 'ports', 'resources', 'securityContext'],
  ...['volumeMounts', 'startupProbe', 'livenessProbe', 'readinessProbe'],
];
const CONTAINER_SECURITY = [
  ...['runAsNonRoot', 'allowPrivilegeEscalation', 'privileged', 'readOnlyRootFilesystem', 'capabilities'],
];

/** Throws for unknown fields, because ignoring one would run the pod differently from the chart. */
export function refuseUnknown(what: string, object: object, known: readonly string[]): void {
  const unknown = Object.keys(object).filter((key) => !known.includes(key));
  if (unknown.length > 0) throw new Error(`${what} has ${unknown.join(', ')}, which the podman flags ignore.`);
}

interface PodSecurity {
  readonly runAsNonRoot: boolean;
  readonly runAsUser: number;
  readonly runAsGroup: number;
  readonly fsGroup: number;
  readonly seccompProfile: { readonly type: string };
}

interface ContainerSecurity {
  readonly allowPrivilegeEscalation: boolean;
  readonly privileged: boolean;
  readonly readOnlyRootFilesystem: boolean;
  readonly capabilities: { readonly drop: readonly string[] };
}

const UNITS: Readonly<Record<string, number>> = { '': 1, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };

export function bytesOf(quantity: string): number {
  const [, count, unit] = /^(\d+)([KMG]i|)$/.exec(quantity) ?? [];
  if (count === undefined) throw new Error(`"${quantity}" is not a size that this test knows.`);
  return Number(count) * UNITS[unit!]!;
}

export function podSecurityOf(pod: PodSpec): PodSecurity {
  refuseUnknown('The security context of the pod', pod.securityContext, POD_SECURITY);
  const security = pod.securityContext as unknown as PodSecurity;
  // podman's default profile is the default of its runtime.
  if (security.seccompProfile.type !== 'RuntimeDefault') throw new Error('The pod has its own seccomp profile.');
  if (security.runAsNonRoot && security.runAsUser === 0) throw new Error('The pod runs as root.');
  return security;
}

function securityFlags(pod: PodSpec, container: Container): string[] {
  const { runAsUser, runAsGroup, fsGroup } = podSecurityOf(pod);
  refuseUnknown('The security context of the container', container.securityContext, CONTAINER_SECURITY);
  const { allowPrivilegeEscalation, privileged, readOnlyRootFilesystem, capabilities } =
    container.securityContext as unknown as ContainerSecurity;
  return [
    ...['--user', `${runAsUser}:${runAsGroup}`, '--group-add', String(fsGroup)],
    ...capabilities.drop.map((name) => `--cap-drop=${name}`),
    ...(allowPrivilegeEscalation ? [] : ['--security-opt=no-new-privileges']),
    ...(privileged ? ['--privileged'] : []),
    // Without the writable folders that only podman adds.
    ...(readOnlyRootFilesystem ? ['--read-only', '--read-only-tmpfs=false'] : []),
  ];
}

/** Values of Secrets by name and key. */
export type Secrets = ReadonlyMap<string, Readonly<Record<string, string>>>;

const fromBase64 = (data: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));

export const secretsOf = (manifests: readonly Manifest[]): Secrets =>
  new Map(
    manifests
      .filter(({ kind }) => kind === 'Secret')
      .map(({ metadata, data = {}, stringData }) => [metadata.name, { ...fromBase64(data), ...stringData }]),
  );

function valueOf({ name, value, valueFrom }: Variable, secrets: Secrets): string {
  if (valueFrom === undefined) {
    // Kubernetes would replace references to other variables.
    if (value?.includes('$(') === true) throw new Error(`${name} refers to another variable.`);
    return value ?? '';
  }
  refuseUnknown(name, valueFrom, ['secretKeyRef']);
  const { name: secret, key } = valueFrom.secretKeyRef;
  const found = secrets.get(secret)?.[key];
  if (found === undefined) throw new Error(`${name}: there is no key ${key} in a Secret ${secret}.`);
  return found;
}

const environmentOf = ({ env = [] }: Container, secrets: Secrets): Record<string, string> =>
  Object.fromEntries(env.map((variable) => [variable.name, valueOf(variable, secrets)]));

/** The flags of podman for a container of a rendered pod, except its volumes and its network. */
export function flagsOf(pod: PodSpec, container: Container, secrets: Secrets): string[] {
  refuseUnknown('The pod', pod, POD);
  refuseUnknown(`The container ${container.name}`, container, CONTAINER);
  const { memory } = (container.resources.limits ?? {}) as { memory?: string };
  return [
    // The kubelet ignores the health check and the volumes of an image, and the proxies of the machine.
    ...['--no-healthcheck', '--image-volume=ignore', '--http-proxy=false', '--pull=never'],
    ...securityFlags(pod, container),
    ...(memory === undefined ? [] : [`--memory=${bytesOf(memory)}`]),
    ...Object.entries(environmentOf(container, secrets)).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...(container.command === undefined ? [] : [`--entrypoint=${JSON.stringify(container.command)}`]),
  ];
}
