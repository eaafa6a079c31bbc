import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DataSource, QueryRunner } from 'typeorm';
import { explainStartupError, addressOf } from './database-refusal';
import { tryTransactionLock } from './transaction-lock';
import { withoutCallLimit } from '../outage/call-limit';

const NAME = 'schema_migration';
const SPACE = 0;
const TRY_EVERY_MS = 100;
const LOG_EVERY_MS = 5_000;

const logger = new Logger('Database');

/** Only one process changes the schema at a time; other replicas wait. The runner's transaction commits with the work. */
export const underSchemaLock = <T>(dataSource: DataSource, work: (runner: QueryRunner) => Promise<T>): Promise<T> =>
  withoutCallLimit(() => lockSchema(dataSource, work));

async function lockSchema<T>(dataSource: DataSource, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    await beginWithLock(runner);
    const result = await work(runner);
    await runner.commitTransaction();
    return result;
  } catch (error) {
    throw explainStartupError(error, addressOf((dataSource.options as { url: string }).url));
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    await runner.release();
  }
}

/** Polls instead of blocking in one statement, which a statement timeout would cancel. */
async function beginWithLock(runner: QueryRunner): Promise<void> {
  let loggedAt = Date.now();
  for (;;) {
    await runner.startTransaction();
    if (await tryTransactionLock(runner, NAME, SPACE)) return;
    await runner.rollbackTransaction();
    if (Date.now() - loggedAt >= LOG_EVERY_MS) {
      loggedAt = Date.now();
      logger.warn('Waiting for another process that is migrating this database');
    }
    await delay(TRY_EVERY_MS);
  }
}
