import type { DataSource } from 'typeorm';
import { connect, createDataSource, type DataSourceSettings } from './data-source';
import { EmbeddedPostgres } from './embedded-postgres';
import { runMigrations, type MigrationOptions } from './migration-runner';

export type DatabaseConfig = { readonly url: string } | { readonly embedded: { readonly folder: string } };

export interface DatabaseSettings extends Omit<DataSourceSettings, 'url'>, MigrationOptions {
  readonly database: DatabaseConfig;
}

/** Connects and migrates. An embedded server starts before the data source connects and stops after it is destroyed. */
export async function openDatabase({ database, refuseNewer, ...settings }: DatabaseSettings): Promise<DataSource> {
  const server = 'url' in database ? undefined : await EmbeddedPostgres.start(database.embedded);
  const dataSource = createDataSource({ ...settings, url: 'url' in database ? database.url : server!.url });
  const destroy = dataSource.destroy.bind(dataSource);
  dataSource.destroy = async () => {
    try {
      if (dataSource.isInitialized) await destroy();
    } finally {
      await server?.stop();
    }
  };
  try {
    await connect(dataSource);
    await runMigrations(dataSource, { refuseNewer: refuseNewer ?? false });
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}
