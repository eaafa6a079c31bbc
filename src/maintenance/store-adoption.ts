import { join } from 'node:path';
import { SCHEMA } from '../app.module';
import { readConfiguration } from '../common/platform/config/configuration';
import { DataFolderLock } from '../common/platform/database/data-folder-lock';
import { openDatabase } from '../common/platform/database/open-database';
import { TransactionRunner } from '../common/platform/database/transaction-runner';
import {
  InstallationEntity,
  InstallationRepository,
} from '../common/platform/installation/persistence/installation.repository';
import { StoreIdentity, type Adoption } from '../common/platform/installation/store-identity';
import { createStorage } from '../common/platform/storage/create-storage';
import { storeContents } from '../modules/ingestion';

/** Marks the configured store as belonging to this installation, whichever it belonged to. */
export async function adoptStore(
  variables?: Readonly<Record<string, string | undefined>>,
): Promise<Adoption & { storageUrl: string }> {
  const configuration = readConfiguration(variables);
  const { databaseUrl, dataDir, storageUrl } = configuration;
  const lock = DataFolderLock.take(dataDir);
  const dataSource = await openDatabase({
    ...SCHEMA,
    database: databaseUrl === null ? { embedded: { folder: join(dataDir, 'postgres') } } : { url: databaseUrl },
    applicationName: 'dataset-media-service adoption',
    poolSize: 2,
  });
  try {
    const { store } = createStorage(configuration);
    await store.check();
    const installations = new InstallationRepository(dataSource.getRepository(InstallationEntity));
    const contents = storeContents(store, new TransactionRunner(dataSource));
    return { storageUrl, ...(await new StoreIdentity({ store, storageUrl, installations, contents }).adopt()) };
  } finally {
    await dataSource.destroy();
    lock.release();
  }
}
