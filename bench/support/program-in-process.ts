import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../../src/app.module';
import { readConfiguration } from '../../src/common/platform/config/configuration';
import { configureHttp } from '../../src/common/platform/http/configure-http';
import { freePort } from '../../test/support/free-port';

export interface ProgramInProcess {
  readonly app: NestExpressApplication;
  readonly url: string;
  /** Contains the store and Postgres. */
  readonly dataDir: string;
  close(): Promise<void>;
}

/** Runs a bench with the whole program in this process, and closes it afterwards. */
export async function inProgram(measure: (program: ProgramInProcess) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-program-'));
  try {
    await inProgramOf(dataDir, measure);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The same with a folder that stays. */
export async function inProgramOf<T>(dataDir: string, work: (program: ProgramInProcess) => Promise<T>): Promise<T> {
  const program = await startInProcess(dataDir);
  try {
    return await work(program);
  } finally {
    await program.close();
  }
}

/** Starts the program with an empty folder in this process, so that a bench can add generated tables without indexing. */
async function startInProcess(dataDir: string): Promise<ProgramInProcess> {
  const configuration = readConfiguration({
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    MEDIA_ROOTS: dataDir,
    LOG_LEVEL: 'ERROR',
    MAX_VIEWS_PER_USER: '0',
  });
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(configuration), {
    logger: ['error'],
    bodyParser: false,
  });
  configureHttp(app);
  await app.listen(configuration.port, configuration.host);
  return {
    app,
    url: configuration.baseUrl,
    dataDir,
    close: () => app.close(),
  };
}
