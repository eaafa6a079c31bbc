import type { Configuration } from '../../common/platform/config/configuration';
import { StartError } from '../../common/platform/config/configuration-error';
import { inSnapshot, type DumpedTable } from '../../common/platform/database/table-dump';
import { connectClient, hasDatabase, reachDatabase } from '../../common/platform/database/reach-database';
import { StoreHold } from '../../common/platform/database/store-hold';
import { createStorage } from '../../common/platform/storage/create-storage';
import { STORE_MARK_KEY, readStoreMark } from '../../common/platform/installation/store-identity';
import { readReferences, readUnfinished, type References, type Unfinished } from '../persistence/references';
import { Verification } from './verification';
import type { Finding } from './contents';

export interface VerifyOptions {
  readonly configuration: Configuration;
  /** Only checks that files besides tables exist, without reading them. */
  readonly quick: boolean;
  readonly found: (finding: Finding) => void;
  readonly waiting: () => void;
}

export interface Verified {
  readonly objects: number;
  readonly bytes: number;
  readonly tables: number;
  readonly missing: number;
  readonly damaged: number;
  readonly unreferenced: number;
}

interface Known extends Unfinished {
  readonly references: References;
}

/** Compares the references of the database with the objects of the store. Changes nothing; the service may run meanwhile. */
export async function verifyInstallation(options: VerifyOptions): Promise<Verified> {
  const { configuration } = options;
  if (!hasDatabase(configuration))
    throw new StartError(`There is no database in ${configuration.dataDir}: set DATA_DIR or DATABASE_URL.`);
  const { store } = createStorage(configuration);
  const database = await reachDatabase(configuration);
  try {
    const holder = await connectClient(database.url, 'dataset-media-service verification (hold)');
    const reader = await connectClient(database.url, 'dataset-media-service verification');
    try {
      const hold = await StoreHold.take(holder, options.waiting);
      const verification = new Verification(store, options.found);
      const known = await inSnapshot(reader, async (snapshot): Promise<Known> => {
        const table = snapshot.tables.find(({ name }) => name === 'upload_file');
        if (table !== undefined)
          for await (const key of uploadKeys(snapshot.rows(table), table)) await verification.expect(key);
        return { references: await readReferences(snapshot.query), ...(await readUnfinished(snapshot.query)) };
      });
      if (known === undefined) throw new StartError('The database is empty: the service has never been started on it.');
      if (known.installation === undefined || (await readStoreMark(store)) !== known.installation)
        verification.report('missing', STORE_MARK_KEY, 'The store does not have the mark of this installation');
      const result = await verification.run(known, options.quick);
      await hold.assertHeld();
      await hold.release();
      return result;
    } finally {
      for (const client of [holder, reader]) await client.end().catch(() => undefined);
    }
  } finally {
    await database.close();
  }
}

async function* uploadKeys(lines: AsyncIterable<string>, { columns }: DumpedTable): AsyncGenerator<string> {
  const at = columns.indexOf('store_key');
  for await (const line of lines) yield (JSON.parse(line) as string[])[at]!;
}
