import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 250;

/** Forwards each connection to the next ready process, as a Kubernetes service does, without looking at requests. */
export class Balancer {
  private readonly ready = new Set<string>();
  private readonly processes = new Set<string>();
  private readonly sockets = new Set<Socket>();
  private given = 0;
  private isOpen = true;

  private constructor(private readonly server: Server) {
    server.on('connection', (client: Socket) => this.pass(client));
    void this.look();
  }

  static async open(): Promise<Balancer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Balancer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as { port: number }).port}`;
  }

  add(url: string): void {
    this.processes.add(url);
    this.ready.add(url);
  }

  remove(url: string): void {
    this.processes.delete(url);
    this.ready.delete(url);
  }

  close(): void {
    this.isOpen = false;
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private async look(): Promise<void> {
    while (this.isOpen) {
      await Promise.all([...this.processes].map((url) => this.lookAt(url)));
      await delay(LOOK_EVERY_MS);
    }
  }

  private async lookAt(url: string): Promise<void> {
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (answer?.ok === true && this.processes.has(url)) this.ready.add(url);
    else this.ready.delete(url);
  }

  private pass(client: Socket): void {
    const urls = [...this.ready];
    const url = urls[this.given++ % urls.length];
    if (url === undefined) {
      client.destroy();
      return;
    }
    const process = connect(Number(new URL(url).port), '127.0.0.1');
    for (const [one, other] of [
      [client, process],
      [process, client],
    ] as const) {
      this.sockets.add(one);
      one.setNoDelay(true);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
    }
  }
}
