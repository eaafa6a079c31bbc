import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { prepareServer } from './configure-http';
import { OpenConnections } from './connections';

const HEALTH: readonly string[] = ['/health/live', '/health/ready'];

/** A second port for some of the paths, which are then not served on the main port. */
export class OwnPort {
  private readonly arrived = new WeakSet<IncomingMessage>();
  private server: Server | undefined;
  private connections: OpenConnections | undefined;

  /** Call it before adding any other middleware. */
  constructor(
    private readonly app: NestExpressApplication,
    private readonly isOwnPath: (path: string) => boolean,
    /** The body of a 404, for paths of the other port. */
    private readonly notFound: (detail: string) => object,
  ) {
    app.use((request: Request, response: Response, next: NextFunction) => {
      if (this.serves(request)) next();
      else this.sendAway(request, response);
    });
  }

  /** Call it when the application is already listening; before that it has no routes. */
  async listen(port: number, host: string): Promise<void> {
    const serve = this.app.getHttpAdapter().getInstance() as RequestListener;
    const server = createServer((request, response) => {
      this.arrived.add(request);
      serve(request, response);
    });
    prepareServer(server);
    this.connections = new OpenConnections(server);
    server.listen(port, host);
    await once(server, 'listening');
    this.server = server;
  }

  leave(): void {
    this.connections?.leave();
  }

  /** Finishes the requests in progress first. */
  async close(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    this.server = undefined;
    await this.connections?.whileClosing(async () => {
      server.close();
      await once(server, 'close');
    });
  }

  private serves(request: Request): boolean {
    const isOwn = this.isOwnPath(request.path);
    return this.arrived.has(request) ? isOwn || HEALTH.includes(request.path) : !isOwn;
  }

  private sendAway(request: Request, response: Response): void {
    response.status(404).json(this.notFound(`No such route: ${request.method} ${request.path}`));
  }
}
