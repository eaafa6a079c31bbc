import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

type Mode = 'passing' | 'silent' | 'cut';

/** A TCP proxy in front of a server: it forwards everything, or accepts data without responding (a dead network), or refuses connections. */
export class CuttableProxy {
  private mode: Mode = 'passing';
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: { readonly host: string; readonly port: number },
  ) {
    server.on('connection', (socket) => this.take(socket));
  }

  static async before(url: string): Promise<CuttableProxy> {
    const { hostname, port } = new URL(url);
    const proxy = new CuttableProxy(createServer(), { host: hostname, port: Number(port) });
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  /** The given URL, but through this proxy. */
  through(url: string): string {
    const proxied = new URL(url);
    proxied.hostname = '127.0.0.1';
    proxied.port = String((this.server.address() as AddressInfo).port);
    return proxied.href;
  }

  pass(): void {
    this.mode = 'passing';
    for (const socket of this.sockets) socket.resume();
  }

  fallSilent(): void {
    this.mode = 'silent';
    for (const socket of this.sockets) socket.pause();
  }

  cut(): void {
    this.mode = 'cut';
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private take(socket: Socket): void {
    if (this.mode === 'cut') {
      socket.resetAndDestroy();
      return;
    }
    const onward = connect(this.target);
    for (const [each, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.sockets.add(each);
      each.on('data', (bytes) => other.write(bytes));
      each.on('error', () => other.destroy());
      each.on('close', () => {
        this.sockets.delete(each);
        other.destroy();
      });
      if (this.mode === 'silent') each.pause();
    }
  }
}
