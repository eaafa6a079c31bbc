import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** The clock of the database, for times that other processes or Postgres compare: the clocks of the processes may differ by minutes. */
@Injectable()
export class DatabaseClock {
  constructor(private readonly dataSource: DataSource) {}

  async now(): Promise<Date> {
    const [row] = await this.dataSource.manager.query<[{ now: Date }]>('SELECT clock_timestamp() AS now');
    return row.now;
  }
}

/** An SQL expression for the time this many milliseconds from now, by the clock of the database. */
export const after = (milliseconds: string): string => `now() + make_interval(secs => ${milliseconds}::float8 / 1000)`;
