import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AdvisoryLock } from './advisory-lock';
import { ChannelListener } from './channel-listener';
import { openDatabase, type DatabaseSettings } from './open-database';
import { Sweeps } from './sweeps';
import { TransactionRunner } from './transaction-runner';

export interface DatabaseModuleOptions extends DatabaseSettings {
  /** Postgres itself, where `database` is reached through a pooler. */
  readonly directUrl?: string | null;
}

/** The data source is destroyed in `onApplicationShutdown`: what uses it ends in the phases before. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot({ directUrl, ...settings }: DatabaseModuleOptions): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          // `connect` waits for a Postgres that is away, and what else fails is final.
          useFactory: () => ({ toRetry: () => false }),
          // Options can't say this: an embedded server starts first, and migrations run under a lock of the schema.
          dataSourceFactory: () => openDatabase(settings),
        }),
      ],
      providers: [
        TransactionRunner,
        AdvisoryLock,
        {
          provide: ChannelListener,
          inject: [DataSource],
          useFactory: (dataSource: DataSource) => new ChannelListener(dataSource, directUrl),
        },
        Sweeps,
      ],
      exports: [TransactionRunner, AdvisoryLock, ChannelListener, Sweeps],
    };
  }
}
