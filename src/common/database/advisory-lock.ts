import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** A lock that one process in the whole installation can hold; Postgres drops it with the connection. */
@Injectable()
export class AdvisoryLock {
  constructor(private readonly dataSource: DataSource) {}

  /** Does the work if nobody else is at it; says whether it did. */
  async withAdvisoryLock(name: string, work: () => Promise<void>): Promise<boolean> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.connect();
      const rows = (await runner.query('SELECT pg_try_advisory_lock(hashtextextended($1, 1)) AS held', [name])) as {
        held: boolean;
      }[];
      if (rows[0]?.held !== true) return false;
      try {
        await work();
        return true;
      } finally {
        if (!runner.isReleased) await runner.query('SELECT pg_advisory_unlock(hashtextextended($1, 1))', [name]);
      }
    } finally {
      await runner.release();
    }
  }
}
