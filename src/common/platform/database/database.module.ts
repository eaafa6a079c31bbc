import { Global, Injectable, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AdvisoryLock } from './advisory-lock';
import { ChannelListener } from './channel-listener';
import { connect, createDataSource, type SchemaParts } from './data-source';
import { EmbeddedPostgres } from './embedded-postgres';
import { runMigrations } from './migration-runner';
import { Sweeps } from './sweeps';
import { TransactionRunner } from './transaction-runner';

export type DatabaseConfig = { readonly url: string } | { readonly embedded: { readonly folder: string } };

export interface DatabaseModuleOptions extends SchemaParts {
  readonly database: DatabaseConfig;
  readonly applicationName: string;
  readonly poolSize?: number;
  /** Postgres itself, where `database` is reached through a pooler. */
  readonly directUrl?: string | null;
  readonly callTimeoutMs?: number;
}

const DEFAULT_POOL_SIZE = 15;

/** Where Postgres listens; `stop` ends it if it is ours. */
export class DatabaseServer {
  constructor(
    readonly url: string,
    private readonly embedded: EmbeddedPostgres | null,
  ) {}

  static async open(config: DatabaseConfig): Promise<DatabaseServer> {
    if ('url' in config) return new DatabaseServer(config.url, null);
    const embedded = await EmbeddedPostgres.start({ folder: config.embedded.folder });
    return new DatabaseServer(embedded.url, embedded);
  }

  async stop(): Promise<void> {
    await this.embedded?.stop();
  }
}

async function openDataSource(server: DatabaseServer, options: DatabaseModuleOptions): Promise<DataSource> {
  const dataSource = createDataSource({ ...options, url: server.url, poolSize: options.poolSize ?? DEFAULT_POOL_SIZE });
  try {
    await connect(dataSource);
    await runMigrations(dataSource);
    return dataSource;
  } catch (error) {
    if (dataSource.isInitialized) await dataSource.destroy();
    await server.stop();
    throw error;
  }
}

@Injectable()
class DatabaseShutdown implements OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    private readonly server: DatabaseServer,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.dataSource.destroy();
    await this.server.stop();
  }
}

@Global()
@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseModuleOptions): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: DatabaseServer, useFactory: () => DatabaseServer.open(options.database) },
        {
          provide: DataSource,
          inject: [DatabaseServer],
          useFactory: (server: DatabaseServer) => openDataSource(server, options),
        },
        TransactionRunner,
        AdvisoryLock,
        {
          provide: ChannelListener,
          inject: [DataSource],
          useFactory: (dataSource: DataSource) => new ChannelListener(dataSource, options.directUrl),
        },
        Sweeps,
        DatabaseShutdown,
      ],
      exports: [DatabaseServer, DataSource, TransactionRunner, AdvisoryLock, ChannelListener, Sweeps],
    };
  }
}
