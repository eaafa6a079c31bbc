import type { EntityManager } from 'typeorm';
import { connect, createDataSource, type SchemaParts } from './data-source';
import { DatabaseServer, type DatabaseConfig } from './database.module';
import { runMigrations } from './migration-runner';
import { resealColumn, type SecretKeys } from './sealed-columns';

export interface Resealing extends SecretKeys {
  readonly database: DatabaseConfig;
  readonly schema: readonly SchemaParts[];
  /** Done last within the transaction: where it fails, nothing was changed. */
  readonly lastly: (manager: EntityManager) => Promise<void>;
}

/** Opens a database that no program uses and seals all its secrets by another key, all or none. Says how many were sealed anew. */
export async function resealDatabase({ database, schema, lastly, ...keys }: Resealing): Promise<number> {
  const server = await DatabaseServer.open(database);
  const dataSource = createDataSource({
    url: server.url,
    applicationName: 'dataset-media-service rotation',
    poolSize: 2,
    entities: schema.flatMap(({ entities }) => entities),
    migrations: schema.flatMap(({ migrations }) => migrations),
  });
  try {
    await connect(dataSource);
    await runMigrations(dataSource);
    return await dataSource.transaction(async (manager) => {
      let resealed = 0;
      for (const column of schema.flatMap(({ sealed = [] }) => sealed))
        resealed += await resealColumn(manager, column, keys);
      await lastly(manager);
      return resealed;
    });
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await server.stop();
  }
}
