import {
  Global,
  Inject,
  Injectable,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JobHandlerRegistry } from './job-handler';
import { JobMetrics } from './job-metrics';
import { JobNotifications } from './job-notifications';
import { JobQueue } from './job-queue';
import { JobRunEntity, JobRunStore } from './job-run.store';
import { JobWorker, OUTAGE_WAIT_MS } from './job-worker';

export interface JobsModuleOptions {
  /** False if jobs are only enqueued. */
  readonly work: boolean;
  /** True if no other process can use the same database. */
  readonly soleWorker: boolean;
  /** How long a job waits during an outage before it fails. */
  readonly outageWaitMs?: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

const OPTIONS = Symbol('JobsModuleOptions');

/** Stops jobs in the first phase of a shutdown; their dependencies are closed in `onApplicationShutdown`. */
@Injectable()
class JobsLifecycle implements OnApplicationBootstrap, OnModuleDestroy {
  private working = false;

  constructor(
    @Inject(OPTIONS) private readonly options: JobsModuleOptions,
    private readonly registry: JobHandlerRegistry,
    private readonly worker: JobWorker,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { jobs } = this.registry;
    if (!this.options.work) return;
    await this.worker.start(jobs, this.options.soleWorker);
    this.working = true;
  }

  async onModuleDestroy(): Promise<void> {
    if (this.working) await this.worker.stop();
  }
}

@Global()
@Module({})
export class JobsModule {
  static forRoot(options: JobsModuleOptions): DynamicModule {
    return {
      module: JobsModule,
      imports: [DiscoveryModule, TypeOrmModule.forFeature([JobRunEntity])],
      providers: [
        { provide: OPTIONS, useValue: options },
        { provide: OUTAGE_WAIT_MS, useValue: options.outageWaitMs ?? DAY_MS },
        JobNotifications,
        JobRunStore,
        JobMetrics,
        JobQueue,
        JobHandlerRegistry,
        JobWorker,
        JobsLifecycle,
      ],
      exports: [JobQueue, JobMetrics],
    };
  }
}
