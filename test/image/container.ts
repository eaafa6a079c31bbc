import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { ApiClient } from '../support/api-client';
import { freePort } from '../support/free-port';
import { waitUntil } from '../support/wait-until';

const run = promisify(execFile);

/** Machines that are containers themselves refuse crun and raised limits. */
const ENGINE = ['--cgroup-manager=cgroupfs', '--runtime', 'runc'];
export const LIMITS = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'];
/** As in Kubernetes with the Pod Security level "restricted", and with a read-only root file system. */
const RESTRICTED = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges'];

/** The id of the image's user. */
export const USER = 10_001;

export function testImage(): string {
  const image = process.env['TEST_IMAGE'];
  if (image === undefined) throw new Error('TEST_IMAGE names no image: start these tests by test/image/run.');
  return image;
}

export async function podman(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('podman', [...ENGINE, ...args], { maxBuffer: 16 * 1024 * 1024 });
  return stdout.trim();
}

export interface ContainerOptions {
  /** A data folder owned by the user of the image. */
  readonly dataDir: string;
  /** Folders of this machine that the container may read, by their path in the container. */
  readonly mounts?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

const flagsOf = ({ dataDir, mounts = {}, env = {} }: ContainerOptions): string[] => [
  ...LIMITS,
  ...RESTRICTED,
  '--network=host',
  ...['-v', `${dataDir}:/data`],
  ...Object.entries(mounts).flatMap(([inside, outside]) => ['-v', `${outside}:${inside}:ro`]),
  ...Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
];

/** Runs a command in a separate container and returns its output. */
export const runCommand = (options: ContainerOptions, ...command: readonly string[]): Promise<string> =>
  podman('run', '--rm', '--no-healthcheck', ...flagsOf(options), testImage(), ...command);

/** The service in a container, with its port on a loopback address of this machine. */
export class Container {
  private constructor(
    private readonly name: string,
    private readonly url: string,
  ) {}

  static async start(options: ContainerOptions): Promise<Container> {
    const port = String(await freePort());
    const name = `dataset-media-service-${randomUUID()}`;
    const env = { HOST: '127.0.0.1', PORT: port, ...options.env };
    await podman('run', '-d', '--name', name, ...flagsOf({ ...options, env }), testImage());
    const container = new Container(name, `http://127.0.0.1:${port}`);
    try {
      await waitUntil(() => container.isReady());
      return container;
    } catch (error) {
      await container.remove();
      throw error;
    }
  }

  get api(): ApiClient {
    return new ApiClient(this.url);
  }

  exec(...command: readonly string[]): Promise<string> {
    return podman('exec', this.name, ...command);
  }

  /** Rejects if the health check of the image fails. */
  healthCheck(): Promise<string> {
    return podman('healthcheck', 'run', this.name);
  }

  /** The output on both streams. */
  async logs(): Promise<string> {
    const { stdout, stderr } = await run('podman', ['logs', this.name]);
    return `${stdout}\n${stderr}`;
  }

  /** Sends SIGTERM and returns the exit code. */
  async terminate(): Promise<number> {
    await podman('kill', '--signal', 'TERM', this.name);
    return Number(await podman('wait', this.name));
  }

  async remove(): Promise<void> {
    await podman('rm', '--force', '--time', '0', this.name);
  }

  private async isReady(): Promise<boolean> {
    if ((await podman('inspect', this.name, '--format', '{{.State.Running}}')) !== 'true')
      throw new Error(`The container ended before it was ready:\n${await this.logs()}`);
    return fetch(`${this.url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}
