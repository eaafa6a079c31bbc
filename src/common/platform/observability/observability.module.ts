import {
  Global,
  Module,
  type DynamicModule,
  type InjectionToken,
  type MiddlewareConsumer,
  type NestModule,
  type Type,
} from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../config/configuration';
import { CacheMetrics, Metrics } from './metrics';
import { CallMetrics, JobGauges, ResourceGauges, OutageMetrics } from './gauges';
import { HEALTH_PROBES, HealthController, type HealthProbe } from './health.controller';
import { ObservedRequestsMiddleware } from './observed-requests.middleware';
import { TraceExport } from './trace-export';

export interface ProbesProvider {
  /** The modules of what is injected, unless they are global. */
  readonly imports: readonly Type[];
  readonly inject: readonly InjectionToken[];
  readonly useFactory: (...parts: never[]) => readonly HealthProbe[];
}

const TRACE_EXPORT = {
  provide: TraceExport,
  inject: [CONFIGURATION],
  useFactory: ({ tracing }: Configuration) => new TraceExport(tracing),
};

@Global()
@Module({
  controllers: [HealthController],
  providers: [Metrics, JobGauges, CallMetrics, CacheMetrics, OutageMetrics, ResourceGauges, TRACE_EXPORT],
  exports: [Metrics, CacheMetrics],
})
export class ObservabilityModule implements NestModule {
  static with({ imports, inject, useFactory }: ProbesProvider): DynamicModule {
    return {
      module: ObservabilityModule,
      imports: [...imports],
      providers: [{ provide: HEALTH_PROBES, inject: [...inject], useFactory }],
    };
  }

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(ObservedRequestsMiddleware).forRoutes('{*path}');
  }
}
