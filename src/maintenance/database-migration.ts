import { join } from 'node:path';
import { SCHEMA } from '../app.module';
import { readConfiguration } from '../common/platform/config/configuration';
import { DataFolderLock } from '../common/platform/database/data-folder-lock';
import { openDatabase } from '../common/platform/database/open-database';

/** Migrates the configured database without starting the service. Refuses a database that a newer version has migrated. */
export async function migrateDatabase(variables?: Readonly<Record<string, string | undefined>>): Promise<void> {
  const { databaseUrl, dataDir } = readConfiguration(variables);
  const lock = DataFolderLock.take(dataDir);
  try {
    const dataSource = await openDatabase({
      ...SCHEMA,
      database: databaseUrl === null ? { embedded: { folder: join(dataDir, 'postgres') } } : { url: databaseUrl },
      refuseNewer: true,
      applicationName: 'dataset-media-service migration',
      poolSize: 2,
    });
    await dataSource.destroy();
  } finally {
    lock.release();
  }
}
