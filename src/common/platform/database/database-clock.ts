import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** The one clock of an installation: those of its processes may differ by minutes. For times that another process, or Postgres, compares. */
@Injectable()
export class DatabaseClock {
  constructor(private readonly dataSource: DataSource) {}

  async now(): Promise<Date> {
    const [row] = await this.dataSource.manager.query<[{ now: Date }]>('SELECT clock_timestamp() AS now');
    return row.now;
  }
}

/** In SQL, the time that many milliseconds after now, by the clock of the database: those of the processes may differ by minutes. */
export const after = (milliseconds: string): string => `now() + make_interval(secs => ${milliseconds}::float8 / 1000)`;
