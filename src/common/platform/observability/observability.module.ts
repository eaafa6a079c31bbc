import {
  Global,
  Module,
  type DynamicModule,
  type InjectionToken,
  type MiddlewareConsumer,
  type NestModule,
} from '@nestjs/common';
import { HEALTH_PROBES, HealthController, type HealthProbe } from './health.controller';
import { JobGauges } from './job-gauges';
import { Metrics } from './metrics';
import { RequestMetricsMiddleware } from './request-metrics.middleware';

export interface ProbesProvider {
  readonly inject: readonly InjectionToken[];
  readonly useFactory: (...parts: never[]) => readonly HealthProbe[];
}

@Global()
@Module({ controllers: [HealthController], providers: [Metrics, JobGauges], exports: [Metrics] })
export class ObservabilityModule implements NestModule {
  static with({ inject, useFactory }: ProbesProvider): DynamicModule {
    return {
      module: ObservabilityModule,
      providers: [{ provide: HEALTH_PROBES, inject: [...inject], useFactory }],
    };
  }

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(RequestMetricsMiddleware).forRoutes('{*path}');
  }
}
