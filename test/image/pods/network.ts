import { execFile } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ip = (...args: readonly string[]): Promise<unknown> => run('ip', args);

/** The range for network benchmarks (RFC 2544), which no machine uses for its addresses. */
const RANGE = '198.18';

export interface Place {
  readonly namespace: string;
  readonly address: string;
}

export interface Target {
  readonly host: string;
  readonly port: number;
}

/** Simulates a cluster's network: each pod has its own address, and reaches other pods through Services at the address of the node. */
export class PodNetwork {
  readonly node: string;
  private readonly name = `dms-${randomBytes(3).toString('hex')}`;
  private readonly third = randomInt(1, 255);
  private readonly servers: Server[] = [];
  private readonly sockets = new Set<Socket>();
  private pods = 0;

  private constructor() {
    this.node = `${RANGE}.${this.third}.1`;
  }

  static async create(): Promise<PodNetwork> {
    const network = new PodNetwork();
    await ip('link', 'add', 'name', network.name, 'type', 'bridge');
    await ip('address', 'add', `${network.node}/24`, 'dev', network.name);
    await ip('link', 'set', network.name, 'up');
    return network;
  }

  /** Creates a network namespace for the containers of a pod. */
  async join(): Promise<Place> {
    this.pods += 1;
    const namespace = this.namespaceOf(this.pods);
    const [outside, address] = [namespace, `${RANGE}.${this.third}.${this.pods + 1}`];
    await ip('netns', 'add', namespace);
    await ip('link', 'add', 'name', outside, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    await ip('link', 'set', outside, 'master', this.name, 'up');
    await ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) await ip('-n', namespace, 'link', 'set', device, 'up');
    return { namespace: `/run/netns/${namespace}`, address };
  }

  /** Forwards connections like a Service, or from a loopback address like `kubectl port-forward`. The returned function ends this. */
  async forward(from: Target, to: Target): Promise<() => void> {
    const server = createServer((socket) => this.pass(socket, connect(to)));
    server.listen(from.port, from.host);
    await once(server, 'listening');
    this.servers.push(server);
    return () => server.close();
  }

  async remove(): Promise<void> {
    for (const server of this.servers) server.close();
    for (const socket of this.sockets) socket.destroy();
    for (let pod = 1; pod <= this.pods; pod += 1) await ip('netns', 'delete', this.namespaceOf(pod));
    await ip('link', 'delete', this.name);
  }

  private namespaceOf(pod: number): string {
    return `${this.name}-${pod}`;
  }

  private pass(socket: Socket, onward: Socket): void {
    for (const [each, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.sockets.add(each);
      each.pipe(other);
      each.on('error', () => other.destroy());
      each.on('close', () => {
        this.sockets.delete(each);
        other.destroy();
      });
    }
  }
}
