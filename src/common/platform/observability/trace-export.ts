import { createRequire } from 'node:module';
import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { type ContextManager, context, propagation, type TextMapPropagator, trace } from '@opentelemetry/api';
import type { TracerProvider } from '@opentelemetry/api';
import type { SamplerName, TracingConfiguration } from '../config/tracing-configuration';

const FLUSH_MS = 2_000;
const LOG_EVERY_MS = 60_000;

interface ExportResult {
  /** 0 if the collector accepted the spans. */
  readonly code: number;
  readonly error?: Error;
}

interface SpanExporter {
  export(spans: readonly unknown[], done: (result: ExportResult) => void): void;
  shutdown(): Promise<void>;
}

type Sampler = object;
type Resource = { merge(other: Resource): Resource };

/** The parts of OpenTelemetry's packages that are used here. */
interface Sdk {
  readonly TracerProvider: new (options: object) => TracerProvider & { shutdown(): Promise<void> };
  readonly BatchSpanProcessor: new (options: { readonly exporter: SpanExporter }) => object;
  readonly AlwaysOnSampler: new () => Sampler;
  readonly AlwaysOffSampler: new () => Sampler;
  readonly TraceIdRatioBasedSampler: new (ratio: number) => Sampler;
  readonly ParentBasedSampler: new (options: { readonly root: Sampler }) => Sampler;
}

interface Resources {
  resourceFromAttributes(attributes: object): Resource;
  detectResources(options: { readonly detectors: readonly unknown[] }): Resource;
  readonly envDetector: unknown;
}

const load = createRequire(__filename);

function samplerOf(sdk: Sdk, name: SamplerName, ratio: number): Sampler {
  const base = name.replace('parentbased_', '');
  const sampler =
    base === 'always_on'
      ? new sdk.AlwaysOnSampler()
      : base === 'always_off'
        ? new sdk.AlwaysOffSampler()
        : new sdk.TraceIdRatioBasedSampler(ratio);
  return name.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root: sampler }) : sampler;
}

/** Sends spans to the collector. Loads OpenTelemetry's SDK only if a collector is configured; failures to export are only logged. */
export class TraceExport implements OnApplicationShutdown {
  private readonly logger = new Logger('Traces');
  private readonly provider: InstanceType<Sdk['TracerProvider']> | undefined;
  private loggedAt = -Infinity;
  /** The number of spans that the collector did not accept. */
  lost = 0;

  constructor(tracing: TracingConfiguration | null) {
    if (tracing === null) return;
    const sdk = load('@opentelemetry/sdk-trace') as Sdk;
    this.provider = new sdk.TracerProvider({
      resource: resourceOf(tracing),
      sampler: samplerOf(sdk, tracing.sampler, tracing.ratio),
      spanProcessors: [new sdk.BatchSpanProcessor({ exporter: this.exporterTo(tracing.url) })],
    });
    const { AsyncLocalStorageContextManager } = load('@opentelemetry/context-async-hooks') as {
      AsyncLocalStorageContextManager: new () => ContextManager;
    };
    const { W3CTraceContextPropagator } = load('@opentelemetry/core') as {
      W3CTraceContextPropagator: new () => TextMapPropagator;
    };
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    trace.setGlobalTracerProvider(this.provider);
  }

  /** Called after the last request and job have ended. */
  async onApplicationShutdown(): Promise<void> {
    if (this.provider === undefined) return;
    trace.disable();
    propagation.disable();
    context.disable();
    const late = new Promise<void>((resolve) => setTimeout(resolve, FLUSH_MS).unref());
    await Promise.race([this.provider.shutdown().catch(() => undefined), late]);
  }

  /** The exporter reads its headers, certificates and timeout from the environment. */
  private exporterTo(url: string): SpanExporter {
    const { OTLPTraceExporter } = load('@opentelemetry/exporter-trace-otlp-proto') as {
      OTLPTraceExporter: new (options: { readonly url: string }) => SpanExporter;
    };
    const exporter = new OTLPTraceExporter({ url });
    return {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          if (result.code !== 0) this.noteLoss(spans.length, result.error);
          done(result);
        }),
      shutdown: () => exporter.shutdown(),
    };
  }

  private noteLoss(spans: number, error: Error | undefined): void {
    this.lost += spans;
    if (Date.now() - this.loggedAt < LOG_EVERY_MS) return;
    this.loggedAt = Date.now();
    this.logger.warn(`The collector of traces refused ${spans} spans: ${error?.message ?? 'no reason given'}`);
  }
}

function resourceOf({ serviceName }: TracingConfiguration): Resource {
  const resources = load('@opentelemetry/resources') as Resources;
  const own = resources.resourceFromAttributes({
    'service.name': serviceName,
    'service.instance.id': `${process.pid}`,
  });
  return own.merge(resources.detectResources({ detectors: [resources.envDetector] }));
}
