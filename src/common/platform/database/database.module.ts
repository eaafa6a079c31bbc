import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AdvisoryLock } from './advisory-lock';
import { DatabaseClock } from './database-clock';
import { ChannelListener } from './channel-listener';
import { openDatabase, type DatabaseSettings } from './open-database';
import { PoolUsage } from './pool-usage';
import { Sweeps } from './sweeps';
import { TransactionRunner } from './transaction-runner';

export interface DatabaseModuleOptions extends DatabaseSettings {
  /** A direct connection to Postgres, if `database` goes through a pooler. */
  readonly directUrl?: string | null;
}

/** The data source is destroyed in `onApplicationShutdown`; its users stop in the earlier phases. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot({ directUrl, ...settings }: DatabaseModuleOptions): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          // `connect` already waits for an unreachable Postgres; any other failure is final.
          useFactory: () => ({ toRetry: () => false }),
          // Module options cannot express this: an embedded server starts first, and migrations run under a schema lock.
          dataSourceFactory: () => openDatabase(settings),
        }),
      ],
      providers: [
        TransactionRunner,
        AdvisoryLock,
        DatabaseClock,
        {
          provide: ChannelListener,
          inject: [DataSource],
          useFactory: (dataSource: DataSource) => new ChannelListener(dataSource, directUrl),
        },
        Sweeps,
        PoolUsage,
      ],
      exports: [PoolUsage, TransactionRunner, AdvisoryLock, DatabaseClock, ChannelListener, Sweeps],
    };
  }
}
