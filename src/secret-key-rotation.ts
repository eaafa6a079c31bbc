import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { PERSISTENCE } from './app.module';
import { ConfigurationError } from './common/config/configuration-error';
import { KeptSecretKey } from './common/config/kept-secret-key';
import { readRotation, type RotationConfiguration } from './common/config/rotation-configuration';
import { newSecretKey } from './common/config/secret-key';
import { DataFolderLock } from './common/database/data-folder-lock';
import { connect, createDataSource } from './common/database/data-source';
import { DatabaseServer } from './common/database/database.module';
import { runMigrations } from './common/database/migration-runner';
import { resealColumn, type SecretKeys } from './common/database/sealed-columns';

export interface Rotation {
  readonly resealed: number;
  /** Whether the data folder's own key was replaced. */
  readonly keptKeyReplaced: boolean;
}

interface RotationPlan extends SecretKeys {
  readonly replacesKeptKey: boolean;
}

const isSame = (one: Buffer | undefined, other: Buffer | undefined): boolean =>
  one !== undefined && other !== undefined && one.equals(other);

function planOf({ dataDir, oldKey, newKey }: RotationConfiguration, kept: KeptSecretKey): RotationPlan {
  const [current, interrupted] = [kept.current(), kept.next()];
  const old = oldKey ?? current;
  if (old === undefined)
    throw new ConfigurationError(`OLD_SECRET_KEY must be set: ${dataDir} keeps no key of its own.`);
  const isKept = isSame(old, current) || (oldKey === undefined && current !== undefined);
  if (interrupted !== undefined && newKey !== undefined && !isSame(interrupted, newKey))
    throw new ConfigurationError(
      'An earlier rotation was cut off: finish it first, with neither OLD_SECRET_KEY nor SECRET_KEY set.',
    );
  const next = newKey ?? interrupted ?? (isKept ? newSecretKey() : undefined);
  if (next === undefined) throw new ConfigurationError('SECRET_KEY must be set to the new key.');
  const replacesKeptKey = interrupted !== undefined || (isKept && !isSame(current, next));
  return { known: [old], next, replacesKeptKey };
}

async function onDatabase<T>(
  { databaseUrl, dataDir }: RotationConfiguration,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const folder = join(dataDir, 'postgres');
  if (databaseUrl === null && !existsSync(folder))
    throw new ConfigurationError(`There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL.`);
  const server = await DatabaseServer.open(databaseUrl === null ? { embedded: { folder } } : { url: databaseUrl });
  const dataSource = createDataSource({
    url: server.url,
    applicationName: 'dataset-media-service rotation',
    poolSize: 2,
    entities: PERSISTENCE.flatMap(({ entities }) => entities),
    migrations: PERSISTENCE.flatMap(({ migrations }) => migrations),
  });
  try {
    await connect(dataSource);
    await runMigrations(dataSource);
    return await work(dataSource);
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await server.stop();
  }
}

function resealAll(dataSource: DataSource, plan: RotationPlan, kept: KeptSecretKey): Promise<number> {
  return dataSource.transaction(async (manager) => {
    let resealed = 0;
    for (const column of PERSISTENCE.flatMap(({ sealed = [] }) => sealed))
      resealed += await resealColumn(manager, column, plan);
    if (plan.replacesKeptKey) kept.prepare(plan.next);
    return resealed;
  });
}

/** Seals every secret by a new key, all or none. Cut off at any point, it comes to its end when it is run again. */
export async function rotateSecretKey(variables?: Readonly<Record<string, string | undefined>>): Promise<Rotation> {
  const configuration = readRotation(variables);
  const lock = DataFolderLock.take(configuration.dataDir);
  try {
    const kept = new KeptSecretKey(configuration.dataDir);
    const plan = planOf(configuration, kept);
    const resealed = await onDatabase(configuration, (dataSource) => resealAll(dataSource, plan, kept));
    if (plan.replacesKeptKey) kept.replace();
    return { resealed, keptKeyReplaced: plan.replacesKeptKey };
  } finally {
    lock.release();
  }
}
