import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DataSource, QueryRunner } from 'typeorm';
import { asRefusal, placeOf } from './database-refusal';
import { tryTransactionLock } from './transaction-lock';
import { withoutCallLimit } from '../outage/call-limit';

const NAME = 'schema_migration';
const SPACE = 0;
const TRY_EVERY_MS = 100;
const TELL_EVERY_MS = 5_000;

const logger = new Logger('Database');

/** One process at a time, however many replicas start together; the others wait. The runner's transaction commits with the work. */
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
    throw asRefusal(error, placeOf((dataSource.options as { url: string }).url));
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    await runner.release();
  }
}

/** Asks again and again instead of waiting within a statement, which a limit of its time would cut off. */
async function beginWithLock(runner: QueryRunner): Promise<void> {
  let toldAt = Date.now();
  for (;;) {
    await runner.startTransaction();
    if (await tryTransactionLock(runner, NAME, SPACE)) return;
    await runner.rollbackTransaction();
    if (Date.now() - toldAt >= TELL_EVERY_MS) {
      toldAt = Date.now();
      logger.warn('Waiting for another process that changes the tables of this database');
    }
    await delay(TRY_EVERY_MS);
  }
}
