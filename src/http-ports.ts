import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Configuration } from './common/platform/config/configuration';
import { StartError } from './common/platform/config/start-error';
import { errorCode } from './common/platform/errors/error-code';
import { configureHttp } from './common/platform/http/configure-http';
import { serveOperatorsOnly } from './common/platform/http/operators-only';
import { OpenConnections } from './common/platform/http/open-connections';
import { answerToOwnNamesOnly } from './common/platform/http/own-names';
import { PipelinePort } from './common/platform/http/pipeline-port';

/** The ports of the program: one for everything, or one more for the pipeline interface. */
export class HttpPorts {
  private readonly pipeline: PipelinePort | null;
  private readonly connections: OpenConnections;

  constructor(
    private readonly app: NestExpressApplication,
    private readonly configuration: Configuration,
  ) {
    const { role, pipelinePort, trustedProxies } = configuration;
    app.set('trust proxy', trustedProxies);
    answerToOwnNamesOnly(app, configuration);
    if (role === 'worker') serveOperatorsOnly(app);
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

  /** Together with the application behind them. */
  async close(): Promise<void> {
    await this.pipeline?.close();
    await this.connections.whileClosing(() => this.app.close());
  }
}

const WHY_NOT: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there: stop it, or set another',
  EACCES: 'this user may not open it: set one above 1023',
  EADDRNOTAVAIL: 'this machine does not have that address: set HOST to one that it has',
};

async function opened(name: string, port: number, host: string, listen: () => Promise<unknown>): Promise<void> {
  try {
    await listen();
  } catch (error) {
    const reason = WHY_NOT[errorCode(error) ?? ''];
    if (reason === undefined) throw error;
    throw new StartError(`${name}=${port} can't be opened on ${host}: ${reason}.`, { cause: error });
  }
}
