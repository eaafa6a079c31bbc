import { Logger } from '@nestjs/common';
import { PgBoss, type Db } from 'pg-boss';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { underSchemaLock } from '../database/schema-lock';
import { outageOf } from '../outage/outage';

const NO_JOB = '00000000-0000-0000-0000-000000000000';

interface Token {
  readonly runId: string;
}

async function executeOn(runner: QueryRunner, text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
  const result = await runner.query(text, values, true);
  return { rows: (result.records as unknown[] | undefined) ?? [] };
}

const inTransactionOf = (manager: EntityManager): Db => ({
  executeSql: (text, values) => executeOn(manager.queryRunner!, text, values),
});

const onOwnConnection = (dataSource: DataSource): Db => ({
  executeSql: async (text, values) => {
    const runner = dataSource.createQueryRunner();
    try {
      return await executeOn(runner, text, values);
    } finally {
      await runner.release();
    }
  },
});

/**
 * pg-boss holds one token for each run that waits, and says which is due. A token is taken in the transaction that claims its
 * run, so pg-boss never has an active job, and what its completion lacks (an attempt to check) is never needed.
 */
export class JobTransport {
  private constructor(private readonly boss: PgBoss) {}

  static async open(dataSource: DataSource, typeNames: readonly string[]): Promise<JobTransport> {
    const logger = new Logger('PgBoss');
    const boss = new PgBoss({ db: onOwnConnection(dataSource), schema: 'pgboss', supervise: false, schedule: false });
    boss.on('error', (error) => {
      // An outage has its own lines.
      if (outageOf(error) === undefined) logger.warn(error.message);
    });
    boss.on('warning', ({ message }) => logger.warn(message));
    // Where two make the tables of pg-boss at a time, the second is left on a connection whose transaction has failed.
    await underSchemaLock(dataSource, async () => {
      await boss.start();
      for (const name of typeNames) await boss.createQueue(name);
    });
    // Makes pg-boss remember the queue: looked up in the middle of a transaction, it would need a second connection.
    for (const name of typeNames) await boss.findJobs(name, { id: NO_JOB });
    return new JobTransport(boss);
  }

  /** Takes part in the transaction of the manager. */
  async send(manager: EntityManager, typeName: string, runId: string, startAfter?: Date, priority = 0): Promise<void> {
    const token: Token = { runId };
    const delay = startAfter === undefined ? {} : { startAfter };
    await this.boss.send(typeName, token, { db: inTransactionOf(manager), priority, ...delay });
  }

  /** Removes up to `limit` tokens that are due and says which runs they stand for. */
  async take(manager: EntityManager, typeName: string, limit: number): Promise<string[]> {
    const db = inTransactionOf(manager);
    const tokens = await this.boss.fetch<Token>(typeName, { batchSize: limit, db });
    if (tokens.length === 0) return [];
    await this.boss.deleteJob(
      typeName,
      tokens.map(({ id }) => id),
      { db },
    );
    return tokens.map(({ data }) => data.runId);
  }

  async close(): Promise<void> {
    await this.boss.stop({ graceful: false, close: false });
  }
}
