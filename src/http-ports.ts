import { setTimeout as delay } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Configuration } from './common/platform/config/configuration';
import { StartError } from './common/platform/config/start-error';
import { errorCode } from './common/platform/errors/error-code';
import { configureHttp } from './common/platform/http/configure-http';
import { serveWorkerEndpointsOnly } from './common/platform/http/worker-endpoints';
import { OpenConnections } from './common/platform/http/open-connections';
import { rejectForeignHosts } from './common/platform/http/foreign-hosts';
import { PipelinePort } from './common/platform/http/pipeline-port';
import { setSecurityHeaders } from './common/platform/http/security-headers';
import { HealthController } from './common/platform/observability/health.controller';

/** The ports of the program: one, or two if the pipeline interface has its own. */
export class HttpPorts {
  private readonly pipeline: PipelinePort | null;
  private readonly connections: OpenConnections;

  constructor(
    private readonly app: NestExpressApplication,
    private readonly configuration: Configuration,
  ) {
    const { role, pipelinePort, trustedProxies } = configuration;
    setSecurityHeaders(app, configuration);
    app.set('trust proxy', trustedProxies);
    rejectForeignHosts(app, configuration);
    if (role === 'worker') serveWorkerEndpointsOnly(app);
    this.pipeline = role === 'worker' || pipelinePort === null ? null : new PipelinePort(app);
    configureHttp(app);
    this.connections = new OpenConnections(app.getHttpServer());
  }

  async listen(): Promise<void> {
    const { host, port, pipelinePort } = this.configuration;
    await opened('PORT', port, host, () => this.app.listen(port, host));
    if (pipelinePort !== null && this.pipeline !== null) {
      const { pipeline } = this;
      await opened('PIPELINE_PORT', pipelinePort, host, () => pipeline.listen(pipelinePort, host));
    }
  }

  /** Goes on serving for a while, in which load balancers see that this process is not ready, and clients change their connections. */
  async drain(): Promise<void> {
    const { drainMs } = this.configuration;
    if (drainMs === 0) return;
    this.app.get(HealthController).leave();
    this.pipeline?.leave();
    this.connections.leave();
    await delay(drainMs);
  }

  /** Also closes the application. */
  async close(): Promise<void> {
    await this.pipeline?.close();
    await this.connections.whileClosing(() => this.app.close());
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program is using it: stop that program, or set another port',
  EACCES: 'this user may not open it: set a port above 1023',
  EADDRNOTAVAIL: 'this machine does not have that address: set HOST to one that it has',
};

async function opened(name: string, port: number, host: string, listen: () => Promise<unknown>): Promise<void> {
  try {
    await listen();
  } catch (error) {
    const reason = REASONS[errorCode(error) ?? ''];
    if (reason === undefined) throw error;
    throw new StartError(`${name}=${port} can't be opened on ${host}: ${reason}.`, { cause: error });
  }
}
