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
  /** A folder that the service may read; removed at the end. */
  readonly folder: string;
  /** Stops as after SIGTERM, without closing. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export { SCHEMA as appSchema } from '../../src/app.module';

/** The variables for another process of the same installation: its database, store, key and media. */
export const sameInstallation = ({ database, folder }: TestApp): Readonly<Record<string, string>> => ({
  DATABASE_URL: database.url,
  DATA_DIR: join(folder, 'data'),
  MEDIA_ROOTS: folder,
});

/** Starts the whole program in this process, with its own database and folder. */
export async function startTestApp(
  variables: Readonly<Record<string, string>> = {},
  /** Replaces a port with a fake. */
  override: (builder: TestingModuleBuilder) => TestingModuleBuilder = (builder) => builder,
  /** Changes the URL of the database, for example to that of a proxy. */
  databaseUrl: (url: string) => Promise<string> = (url) => Promise.resolve(url),
): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'dms-test-'));
  // Signed URLs contain the port of the service, so it must be known in advance.
  const port = await freePort();
  const database = await createTestDatabase(SCHEMA);
  const configuration = readConfiguration({
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: await databaseUrl(database.url),
    MEDIA_ROOTS: folder,
    PORT: String(port),
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'CRITICAL',
    // Each compute child takes half a second of processor time to start.
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

/** The program for a block of tests: started before the first test, and closed after the last. */
export function runningApp(...parameters: Parameters<typeof startTestApp>): TestApp {
  let running: TestApp;
  beforeAll(async () => {
    running = await startTestApp(...parameters);
  });
  afterAll(() => running.close());
  return new Proxy({} as TestApp, { get: (_, name): unknown => Reflect.get(running, name) });
}
