import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEMA } from '../app.module';
import { ConfigurationError } from '../common/platform/config/configuration-error';
import { KeptSecretKey, readRotation, type RotationConfiguration } from '../common/platform/config/kept-secret-key';
import { newSecretKey } from '../common/platform/config/secret-key';
import { DataFolderLock } from '../common/platform/database/data-folder-lock';
import type { DatabaseConfig } from '../common/platform/database/open-database';
import { replaceSecretKeyDigest } from '../common/platform/installation/persistence/installation.repository';
import { resealDatabase } from '../common/platform/database/reseal-database';
import type { SecretKeys } from '../common/platform/database/sealed-columns';

export interface Rotation {
  readonly resealed: number;
  /** Whether the key stored in the data folder was replaced. */
  readonly keptKeyReplaced: boolean;
}

interface RotationPlan extends SecretKeys {
  readonly replacesKeptKey: boolean;
}

const isSameKey = (one: Buffer | undefined, other: Buffer | undefined): boolean =>
  one !== undefined && other !== undefined && one.equals(other);

function planOf({ dataDir, oldKey, newKey }: RotationConfiguration, kept: KeptSecretKey): RotationPlan {
  const [current, interrupted] = [kept.current(), kept.next()];
  const old = oldKey ?? current;
  if (old === undefined) throw new ConfigurationError(`OLD_SECRET_KEY must be set: ${dataDir} contains no key.`);
  const isKept = isSameKey(old, current) || (oldKey === undefined && current !== undefined);
  if (interrupted !== undefined && newKey !== undefined && !isSameKey(interrupted, newKey))
    throw new ConfigurationError(
      'An earlier rotation was interrupted. Complete it first: run the command with neither OLD_SECRET_KEY nor SECRET_KEY set.',
    );
  const next = newKey ?? interrupted ?? (isKept ? newSecretKey() : undefined);
  if (next === undefined) throw new ConfigurationError('SECRET_KEY must be set to the new key.');
  const replacesKeptKey = interrupted !== undefined || (isKept && !isSameKey(current, next));
  return { known: [old], next, replacesKeptKey };
}

function databaseOf({ databaseUrl, dataDir }: RotationConfiguration): DatabaseConfig {
  const folder = join(dataDir, 'postgres');
  if (databaseUrl === null && !existsSync(folder))
    throw new ConfigurationError(`There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL.`);
  return databaseUrl === null ? { embedded: { folder } } : { url: databaseUrl };
}

/** Reseals all secrets with a new key in one transaction. If interrupted, run it again. */
export async function rotateSecretKey(variables?: Readonly<Record<string, string | undefined>>): Promise<Rotation> {
  const configuration = readRotation(variables);
  const lock = DataFolderLock.take(configuration.dataDir);
  try {
    const kept = new KeptSecretKey(configuration.dataDir);
    const plan = planOf(configuration, kept);
    const resealed = await resealDatabase({
      ...plan,
      database: databaseOf(configuration),
      schema: SCHEMA,
      beforeCommit: async (manager) => {
        await replaceSecretKeyDigest(manager, plan.next);
        if (plan.replacesKeptKey) kept.prepare(plan.next);
      },
    });
    if (plan.replacesKeptKey) kept.replace();
    return { resealed, keptKeyReplaced: plan.replacesKeptKey };
  } finally {
    lock.release();
  }
}
