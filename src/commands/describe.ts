import '../common/platform/config/no-telemetry';
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppModule } from '../app.module';
import { readConfiguration } from '../common/platform/config/configuration';
import { configurationPage } from '../common/platform/config/configuration-page';
import { describeApi, descriptionText } from '../common/platform/http/description/open-api';

/** Writes the page of variables, and the API description without a database: in a preview no provider is created. */
async function describe(root: string): Promise<void> {
  await writeFile(join(root, 'docs', 'configuration.md'), configurationPage());
  const folder = await mkdtemp(join(tmpdir(), 'dms-describe-'));
  try {
    const configuration = readConfiguration({ DATA_DIR: folder });
    const app = await NestFactory.create(AppModule.with(configuration), {
      preview: true,
      logger: false,
      abortOnError: false,
    });
    await writeFile(join(root, 'openapi.json'), descriptionText(describeApi(app)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe(join(__dirname, '..', '..')).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
