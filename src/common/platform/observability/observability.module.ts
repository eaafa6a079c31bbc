import {
  Global,
  Module,
  type DynamicModule,
  type InjectionToken,
  type MiddlewareConsumer,
  type NestModule,
} from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../config/configuration';
import { CallMetrics } from './call-metrics';
import { HEALTH_PROBES, HealthController, type HealthProbe } from './health.controller';
import { JobGauges } from './job-gauges';
import { Metrics } from './metrics';
import { RequestMetricsMiddleware } from './request-metrics.middleware';
import { RequestTracesMiddleware } from './request-traces.middleware';
import { TraceExport } from './trace-export';

export interface ProbesProvider {
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
  providers: [Metrics, JobGauges, CallMetrics, TRACE_EXPORT],
  exports: [Metrics],
})
export class ObservabilityModule implements NestModule {
  static with({ inject, useFactory }: ProbesProvider): DynamicModule {
    return {
      module: ObservabilityModule,
      providers: [{ provide: HEALTH_PROBES, inject: [...inject], useFactory }],
    };
  }

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(RequestTracesMiddleware, RequestMetricsMiddleware).forRoutes('{*path}');
  }
}
