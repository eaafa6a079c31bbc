import type { EntityManager } from 'typeorm';
import type { SchemaParts } from './data-source';
import { openDatabase, type DatabaseConfig } from './open-database';
import { resealColumn, type SecretKeys } from './sealed-columns';

export interface Resealing extends SecretKeys {
  readonly database: DatabaseConfig;
  readonly schema: SchemaParts;
  /** Runs last in the transaction; if it fails, nothing changes. */
  readonly beforeCommit: (manager: EntityManager) => Promise<void>;
}

/** Reseals all secrets of a database with another key in one transaction. No other process may use the database. Returns the number of secrets. */
export async function resealDatabase({ database, schema, beforeCommit: lastly, ...keys }: Resealing): Promise<number> {
  const applicationName = 'dataset-media-service rotation';
  const dataSource = await openDatabase({ ...schema, database, applicationName, poolSize: 2 });
  try {
    return await dataSource.transaction(async (manager) => {
      let resealed = 0;
      for (const column of schema.sealed ?? []) resealed += await resealColumn(manager, column, keys);
      await lastly(manager);
      return resealed;
    });
  } finally {
    await dataSource.destroy();
  }
}
