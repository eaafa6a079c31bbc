import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

export interface PoolConnections {
  readonly used: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
  readonly most: number;
}

/** How much of the connections of this process, and of the disk of Postgres, is used. */
@Injectable()
export class PoolUsage {
  constructor(private readonly dataSource: DataSource) {}

  connections(): PoolConnections {
    const { totalCount, idleCount, waitingCount, options } = (this.dataSource.driver as PostgresDriver).master as Pool;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount, most: options.max };
  }

  async databaseBytes(): Promise<number> {
    const [row] = await this.dataSource.query<{ bytes: string }[]>(
      'SELECT pg_database_size(current_database()) AS bytes',
    );
    return Number(row!.bytes);
  }
}
