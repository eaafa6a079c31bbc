import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { AppModule, SCHEMA } from '../../src/app.module';
import { readConfiguration } from '../../src/common/platform/config/configuration';
import { HttpPorts } from '../../src/http-ports';
import { freePort } from './program';
import { createTestDatabase, type TestDatabase } from './test-database';

export interface TestApp {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly database: TestDatabase;
  /** Readable by the service, and gone afterwards. */
  readonly folder: string;
  /** As after SIGTERM, before it closes. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export { SCHEMA as appSchema } from '../../src/app.module';

/** For another process of the same installation: its database, its store, its key and its media. */
export const sameInstallation = ({ database, folder }: TestApp): Readonly<Record<string, string>> => ({
  DATABASE_URL: database.url,
  DATA_DIR: join(folder, 'data'),
  MEDIA_ROOTS: folder,
});

/** The whole program in this process, on a database and a folder of its own. */
export async function startTestApp(
  variables: Readonly<Record<string, string>> = {},
  /** Puts a fake in the place of a port. */
  override: (builder: TestingModuleBuilder) => TestingModuleBuilder = (builder) => builder,
  /** By which way the database is reached. */
  databaseUrl: (url: string) => Promise<string> = (url) => Promise.resolve(url),
): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'dms-test-'));
  // The signed addresses that the service hands out carry its port, so it must be known beforehand.
  const port = await freePort();
  const database = await createTestDatabase(SCHEMA);
  const configuration = readConfiguration({
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: await databaseUrl(database.url),
    MEDIA_ROOTS: folder,
    PORT: String(port),
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'CRITICAL',
    // Each compute child takes half a second of a processor to start.
    WORKER_CONCURRENCY: '1',
    ...variables,
  });
  const testing = await override(Test.createTestingModule({ imports: [AppModule.with(configuration)] })).compile();
  const app = testing.createNestApplication<NestExpressApplication>({ bodyParser: false });
  const ports = new HttpPorts(app, configuration);
  await ports.listen();
  return {
    app,
    url: configuration.baseUrl,
    database,
    folder,
    drain: () => ports.drain(),
    async close() {
      await ports.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
