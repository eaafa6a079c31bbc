import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Moment = 'before' | 'after';

interface Asked {
  readonly method: string;
  readonly pathEnd: string;
}

interface Death extends Asked {
  readonly moment: Moment;
  /** The request that must have been answered first. */
  following: Asked | undefined;
}

/** A proxy for a server that stops responding at a chosen moment, and recovers on request. */
export class CutOffProxy {
  private readonly server: Server;
  private isDown = false;
  private death: Death | undefined;

  private constructor(private readonly target: URL) {
    this.server = createServer((request, response) => {
      this.pass(request, response);
    });
  }

  static async before(target: string): Promise<CutOffProxy> {
    const proxy = new CutOffProxy(new URL(target));
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Stops at the next such request: either before the server receives it, or after the server has processed it and before the response. */
  dieAt(moment: Moment, method: string, pathEnd: string, following?: Asked): void {
    this.death = { moment, method, pathEnd, following };
  }

  comeBack(): void {
    this.isDown = false;
    this.death = undefined;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private pass(request: IncomingMessage, response: ServerResponse): void {
    if (this.isDown || this.diesNow('before', request)) {
      request.socket.destroy();
      return;
    }
    const { method, url, headers } = request;
    const { hostname, port } = this.target;
    const onward = send({ hostname, port, method, path: url, headers }, (answer) => {
      if (this.diesNow('after', request)) {
        answer.resume();
        request.socket.destroy();
        return;
      }
      if (this.death?.following !== undefined && this.isSuch(this.death.following, request))
        this.death.following = undefined;
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => request.socket.destroy());
    request.pipe(onward);
  }

  private diesNow(moment: Moment, request: IncomingMessage): boolean {
    const isNow =
      this.death?.moment === moment && this.death.following === undefined && this.isSuch(this.death, request);
    if (isNow) this.isDown = true;
    return isNow;
  }

  private isSuch({ method, pathEnd }: Asked, request: IncomingMessage): boolean {
    const { pathname } = new URL(request.url ?? '/', this.target);
    return request.method === method && pathname.replace(/\/$/, '').endsWith(pathEnd);
  }
}
