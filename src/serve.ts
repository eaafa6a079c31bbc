import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Logger } from 'nestjs-pino';
import { AppModule } from './app.module';
import type { Configuration } from './common/platform/config/configuration';
import type { DataFolderLock } from './common/platform/database/data-folder-lock';
import { startLog } from './common/platform/observability/start-log';
import { HttpPorts } from './http-ports';
import { offerSample } from './sample/offer-sample';

export interface StartOptions {
  readonly sample: boolean;
}

function greet({ baseUrl, dataDir, storageUrl, role, oidc }: Configuration): void {
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
Dataset Media Service is ready at ${baseUrl}
  API description   ${baseUrl}/api/v1/docs
  Data              ${dataDir} (store: ${storageUrl})
  ${next}
  Stop              Ctrl-C
`);
}

/** At every start, to whoever watches it and to whoever reads the log. */
function warnOfOpenDoor(logger: Logger, { host, port }: Configuration): void {
  const warning = `ALLOW_OPEN=true: anybody who reaches ${host}:${port} is the admin of this service, without signing in. Set AUTH_MODE=oidc to change that.`;
  logger.warn(warning, 'Start');
  console.warn(`WARNING: ${warning}`);
}

/** The whole program, from an empty database to a stop. */
export async function serve(configuration: Configuration, options: StartOptions, lock: DataFolderLock): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(configuration), {
    logger: startLog,
    abortOnError: false,
    bodyParser: false,
  });
  const ports = new HttpPorts(app, configuration);
  stopOnSignals(ports, lock);
  await ports.listen();
  app.useLogger(app.get(Logger));
  greet(configuration);
  if (configuration.isOpen) warnOfOpenDoor(app.get(Logger), configuration);
  // Where people sign in, nobody has yet in whose name it could be made.
  const isOffered = options.sample && configuration.role === 'all' && configuration.oidc === null;
  if (isOffered) await offerSample(configuration);
}

/** The first signal stops everything cleanly, but what hangs is cut off in time for a supervisor that waits ten seconds. */
function stopOnSignals(ports: HttpPorts, lock: DataFolderLock): void {
  const CUT_OFF_MS = 8_000;
  // One Ctrl-C reaches this process up to three times: from the terminal, from npm and from the script that started us.
  const SAME_SIGNAL_MS = 1_000;
  let stoppingSince: number | null = null;
  const stop = (signal: NodeJS.Signals): void => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) endAtOnce(`${signal} again`);
      return;
    }
    stoppingSince = performance.now();
    console.log(`\n${signal}: stopping …`);
    setTimeout(() => endAtOnce(`not stopped after ${CUT_OFF_MS / 1000} s`), CUT_OFF_MS).unref();
    ports
      .close()
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
}

/** Postgres and the compute children notice, and end too. */
function endAtOnce(reason: string): never {
  console.error(`${reason}: ending at once`);
  process.exit(1);
}
