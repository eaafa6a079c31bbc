import type { EntityManager } from 'typeorm';
import type { SchemaParts } from './data-source';
import { openDatabase, type DatabaseConfig } from './open-database';
import { resealColumn, type SecretKeys } from './sealed-columns';

export interface Resealing extends SecretKeys {
  readonly database: DatabaseConfig;
  readonly schema: SchemaParts;
  /** Done last within the transaction: where it fails, nothing was changed. */
  readonly lastly: (manager: EntityManager) => Promise<void>;
}

/** Opens a database that no program uses and seals all its secrets by another key, all or none. Says how many were sealed anew. */
export async function resealDatabase({ database, schema, lastly, ...keys }: Resealing): Promise<number> {
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
