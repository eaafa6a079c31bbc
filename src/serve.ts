import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Logger } from 'nestjs-pino';
import { AppModule } from './app.module';
import { VideoSupport } from './common/engine/compute/video-tools';
import { ModelRegistry } from './common/engine/models/model-registry';
import type { Configuration } from './common/platform/config/configuration';
import type { DataFolderLock } from './common/platform/database/data-folder-lock';
import { errorMessage } from './common/platform/errors/error-code';
import { startLog } from './common/platform/observability/logging';
import { HttpPorts } from './http-ports';
import { ConsoleMiddleware } from './modules/console';
import { INSTALL_LATER, installRecommendedModels } from './recommended-models';
import { createSampleDataset, isEmptyInstallation } from './sample-dataset';

export interface StartOptions {
  readonly sample: boolean;
  /** Only where the sample is created. */
  readonly models: boolean;
}

function printReadyMessage({ baseUrl, dataDir, storageUrl, role, oidc }: Configuration, hasConsole: boolean): void {
  if (role === 'worker') {
    console.log(`The worker is ready at ${baseUrl} (health and metrics only; store: ${storageUrl})`);
    return;
  }
  const next =
    oidc === null
      ? `Try next          curl ${baseUrl}/api/v1/datasets
                    curl -F dataset_name=mine -F bucket_path=/path/to/images ${baseUrl}/api/v1/dataset`
      : `Sign in           ${baseUrl}/api/v1/oidc/login`;
  console.log(`
Dataset Media Service is ready at ${baseUrl}${hasConsole ? `\n  Console           ${baseUrl}/` : ''}
  API description   ${baseUrl}/api/v1/docs
  Data              ${dataDir} (store: ${storageUrl})
  ${next}
  Stop              Ctrl-C
`);
}

/** Printed and logged at every start. */
async function printWarnings(app: NestExpressApplication, configuration: Configuration): Promise<void> {
  const { isOpen, hostNames, host, port, role } = configuration;
  const open = `ALLOW_OPEN=true: anybody who reaches ${host}:${port} is the admin of this service, without signing in. Set AUTH_MODE=oidc to change that.`;
  const anyName =
    'Neither BASE_URL nor ALLOWED_HOSTS is set, so requests are answered by any host name, and a page of another site can reach this service through a browser of this network (DNS rebinding). Set BASE_URL to the address that people use.';
  const videos = role === 'api' ? [] : await app.get(VideoSupport).warnings();
  for (const warning of [...(isOpen ? [open] : []), ...(isOpen && hostNames === null ? [anyName] : []), ...videos])
    warn(app, warning);
}

function warn(app: NestExpressApplication, warning: string): void {
  app.get(Logger).warn(warning, 'Start');
  console.warn(`WARNING: ${warning}`);
}

/** Runs the whole program, from an empty database to shutdown. */
export async function serve(configuration: Configuration, options: StartOptions, lock: DataFolderLock): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(configuration), {
    logger: startLog,
    abortOnError: false,
    bodyParser: false,
  });
  const ports = new HttpPorts(app, configuration);
  const isStopping = stopOnSignals(ports, lock);
  await ports.listen();
  app.useLogger(app.get(Logger));
  printReadyMessage(configuration, app.get(ConsoleMiddleware).isBuilt);
  await printWarnings(app, configuration);
  // With sign-in there is no user yet who could own the dataset.
  const wantsSample = options.sample && configuration.role === 'all' && configuration.oidc === null;
  if (!wantsSample) return;
  await furnish(app, configuration, options, isStopping).catch((error: unknown) => {
    // It is created by requests, which a stopping service refuses.
    if (isStopping()) return;
    warn(
      app,
      `The sample dataset was not created: ${errorMessage(error)} The service works without it; --no-sample omits it.`,
    );
  });
}

/** In an empty installation: the recommended models, and a dataset that is made with them. */
async function furnish(
  app: NestExpressApplication,
  configuration: Configuration,
  { models }: StartOptions,
  isStopping: () => boolean,
): Promise<void> {
  if (!(await isEmptyInstallation(configuration))) return;
  if (models)
    await installRecommendedModels().catch((error: unknown) => {
      if (!isStopping()) warn(app, `Not all models were installed: ${errorMessage(error)} ${INSTALL_LATER}`);
    });
  await app.get(ModelRegistry).refresh();
  await createSampleDataset(configuration);
}

/**
 * The first signal starts a clean shutdown that, apart from `DRAIN_SECONDS`, ends before the ten seconds that supervisors allow. Returns whether it
 * has come.
 */
function stopOnSignals(ports: HttpPorts, lock: DataFolderLock): () => boolean {
  const SHUTDOWN_TIMEOUT_MS = 8_000;
  // A single Ctrl-C can reach this process three times: from the terminal, from npm and from the start script.
  const SAME_SIGNAL_MS = 1_000;
  let stoppingSince: number | null = null;
  const stop = (signal: NodeJS.Signals): void => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) exitNow(`${signal} again`);
      return;
    }
    stoppingSince = performance.now();
    console.log(`\n${signal}: stopping …`);
    // A supervisor sends SIGTERM; a user who presses Ctrl-C should not have to wait.
    const drained = signal === 'SIGTERM' ? ports.drain() : Promise.resolve();
    drained
      .then(() => {
        setTimeout(() => exitNow(`not stopped after ${SHUTDOWN_TIMEOUT_MS / 1000} s`), SHUTDOWN_TIMEOUT_MS).unref();
        return ports.close();
      })
      .then(() => {
        lock.release();
        process.exit(0);
      })
      .catch((error: unknown) => {
        console.error(error);
        process.exit(1);
      });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  return () => stoppingSince !== null;
}

/** Postgres and the compute children detect the end of this process, and end too. */
function exitNow(reason: string): never {
  console.error(`${reason}: ending at once`);
  process.exit(1);
}
