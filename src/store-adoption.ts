import { join } from 'node:path';
import { PERSISTENCE } from './app.module';
import { readConfiguration } from './common/platform/config/configuration';
import { DataFolderLock } from './common/platform/database/data-folder-lock';
import { connect, createDataSource } from './common/platform/database/data-source';
import { DatabaseServer } from './common/platform/database/database.module';
import { runMigrations } from './common/platform/database/migration-runner';
import { TransactionRunner } from './common/platform/database/transaction-runner';
import { InstallationRepository } from './common/platform/installation/persistence/installation.repository';
import { StoreIdentity, type Adoption } from './common/platform/installation/store-identity';
import { createStorage } from './common/platform/storage/create-storage';
import { storeContents } from './modules/ingestion';

/** Makes the store that is configured this installation's, whosever it was. */
export async function adoptStore(
  variables?: Readonly<Record<string, string | undefined>>,
): Promise<Adoption & { storageUrl: string }> {
  const configuration = readConfiguration(variables);
  const { databaseUrl, dataDir, storageUrl } = configuration;
  const lock = DataFolderLock.take(dataDir);
  const server = await DatabaseServer.open(
    databaseUrl === null ? { embedded: { folder: join(dataDir, 'postgres') } } : { url: databaseUrl },
  );
  const dataSource = createDataSource({
    url: server.url,
    applicationName: 'dataset-media-service adoption',
    poolSize: 2,
    entities: PERSISTENCE.flatMap(({ entities }) => entities),
    migrations: PERSISTENCE.flatMap(({ migrations }) => migrations),
  });
  try {
    await connect(dataSource);
    await runMigrations(dataSource);
    const { store } = createStorage(configuration);
    await store.check();
    const transactions = new TransactionRunner(dataSource);
    const installations = new InstallationRepository(transactions);
    const contents = storeContents(store, transactions);
    return { storageUrl, ...(await new StoreIdentity({ store, storageUrl, installations, contents }).adopt()) };
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await server.stop();
    lock.release();
  }
}
