import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { prepareServer } from './configure-http';
import { OpenConnections } from './open-connections';
import { isPipelinePath, pipelineError } from './pipeline-path';

const HEALTH: readonly string[] = ['/health/live', '/health/ready'];

/** A second port of the same program: it serves the pipeline interface and nothing else, and the first no longer does. */
export class PipelinePort {
  private readonly arrived = new WeakSet<IncomingMessage>();
  private server: Server | undefined;
  private connections: OpenConnections | undefined;

  /** To be made before the application has any other middleware. */
  constructor(private readonly app: NestExpressApplication) {
    app.use((request: Request, response: Response, next: NextFunction) => {
      if (this.serves(request)) next();
      else this.sendAway(request, response);
    });
  }

  /** The application must listen already: until then it has no routes. */
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

  /** Requests that are under way are answered first. */
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
    if (this.arrived.has(request)) return isPipelinePath(request.path) || HEALTH.includes(request.path);
    return !isPipelinePath(request.path);
  }

  private sendAway(request: Request, response: Response): void {
    const { status, body } = pipelineError(404, `No such route: ${request.method} ${request.path}`);
    response.status(status).json(body);
  }
}
