import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const FULL = `<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>XMinioStorageFull</Code><Message>Storage backend has reached its minimum free drive threshold. Please delete a few objects to proceed.</Message></Error>`;

/** A proxy for an S3 store that becomes full: from a chosen write on it rejects all writes, as MinIO does when its disk is full. */
export class FillingS3 {
  refused = 0;
  private room = true;

  private constructor(
    private readonly server: Server,
    private readonly behind: URL,
    private readonly fillsAt: (key: string) => boolean,
  ) {}

  static async before(endpoint: string, fillsAt: (key: string) => boolean): Promise<FillingS3> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const filling = new FillingS3(server, new URL(endpoint), fillsAt);
    server.on('request', (asked: IncomingMessage, answer: ServerResponse) => filling.serve(asked, answer));
    return filling;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  makeRoom(): void {
    this.room = true;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private serve(asked: IncomingMessage, answer: ServerResponse): void {
    if (this.isRefused(asked)) {
      this.refused += 1;
      asked.resume().once('end', () => answer.writeHead(507, { 'content-type': 'application/xml' }).end(FULL));
      return;
    }
    // The signature of a request includes its host, so headers are forwarded unchanged.
    const { hostname, port } = this.behind;
    const onward = request({ hostname, port, method: asked.method, path: asked.url, headers: asked.headers });
    onward.once('error', () => answer.destroy());
    onward.once('response', (response) => {
      answer.writeHead(response.statusCode!, response.headers);
      response.pipe(answer);
    });
    asked.pipe(onward);
  }

  private isRefused({ method, url }: IncomingMessage): boolean {
    const { pathname, searchParams } = new URL(url!, this.endpoint);
    const writes = method === 'PUT' || (method === 'POST' && searchParams.has('uploads'));
    if (!writes) return false;
    if (this.fillsAt(decodeURIComponent(pathname))) this.room = false;
    return !this.room;
  }
}
