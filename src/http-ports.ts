import { setTimeout as delay } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Configuration } from './common/platform/config/configuration';
import { StartError } from './common/platform/config/configuration-error';
import { errorCode } from './common/platform/errors/error-code';
import { configureHttp } from './common/platform/http/configure-http';
import { serveWorkerEndpointsOnly, rejectForeignHosts } from './common/platform/http/foreign-hosts';
import { OpenConnections, oneRequestAtATime, limitUnsentAnswers } from './common/platform/http/connections';
import { isPipelinePath, pipelineError } from './common/platform/http/pipeline-path';
import { OwnPort } from './common/platform/http/own-port';
import { setSecurityHeaders } from './common/platform/http/security-headers';
import { HealthController, isMetricsPath } from './common/platform/observability/health.controller';

interface OpenedPort {
  readonly name: string;
  readonly number: number;
  readonly port: OwnPort;
}

/** The ports of the program: the main port, and separate ones for the pipeline interface and the metrics if configured. */
export class HttpPorts {
  private readonly own: readonly OpenedPort[];
  private readonly connections: OpenConnections;

  constructor(
    private readonly app: NestExpressApplication,
    private readonly configuration: Configuration,
  ) {
    const { role, trustedProxies } = configuration;
    app.use(oneRequestAtATime(), limitUnsentAnswers());
    setSecurityHeaders(app, configuration);
    app.set('trust proxy', trustedProxies);
    rejectForeignHosts(app, configuration);
    if (role === 'worker') serveWorkerEndpointsOnly(app);
    this.own = this.ownPorts();
    configureHttp(app);
    this.connections = new OpenConnections(app.getHttpServer());
  }

  async listen(): Promise<void> {
    const { host, port } = this.configuration;
    await opened('PORT', port, host, () => this.app.listen(port, host));
    for (const { name, number, port: own } of this.own)
      await opened(name, number, host, () => own.listen(number, host));
  }

  /** Continues to serve for a while, so that load balancers notice that this process is not ready, and clients reconnect elsewhere. */
  async drain(): Promise<void> {
    const { drainMs } = this.configuration;
    if (drainMs === 0) return;
    this.app.get(HealthController).leave();
    for (const { port } of this.own) port.leave();
    this.connections.leave();
    await delay(drainMs);
  }

  /** Also closes the application. */
  async close(): Promise<void> {
    await Promise.all(this.own.map(({ port }) => port.close()));
    await this.connections.whileClosing(() => this.app.close());
  }

  private ownPorts(): OpenedPort[] {
    const { role, pipelinePort, metricsPort } = this.configuration;
    const ports: OpenedPort[] = [];
    if (pipelinePort !== null && role !== 'worker') {
      const port = new OwnPort(this.app, isPipelinePath, (detail) => pipelineError(404, detail).body);
      ports.push({ name: 'PIPELINE_PORT', number: pipelinePort, port });
    }
    if (metricsPort !== null) {
      const port = new OwnPort(this.app, isMetricsPath, (detail) => ({ detail }));
      ports.push({ name: 'METRICS_PORT', number: metricsPort, port });
    }
    return ports;
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
