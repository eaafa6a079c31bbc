import './common/platform/config/no-telemetry';
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppModule } from './app.module';
import { readConfiguration } from './common/platform/config/configuration';
import { describeApi, descriptionText } from './common/platform/http/description/open-api';

/** Writes the API description without a database: in a preview no provider is created. */
async function describe(file: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dms-describe-'));
  try {
    const configuration = readConfiguration({ DATA_DIR: folder });
    const app = await NestFactory.create(AppModule.with(configuration), {
      preview: true,
      logger: false,
      abortOnError: false,
    });
    await writeFile(file, descriptionText(describeApi(app)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe(join(__dirname, '..', 'openapi.json')).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
