import { z } from 'zod';
import { trimEndOf } from '../text/texts';
import { booleanSetting } from './runtime-settings.schema';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export type SamplerName = (typeof SAMPLERS)[number];

const NOT_A_URL = 'must be a URL such as http://collector:4318';
const endpoint = z
  .url({ error: NOT_A_URL })
  .refine((url) => ['http:', 'https:'].includes(new URL(url).protocol), { error: NOT_A_URL })
  .optional();

/** OpenTelemetry's own variables. Its packages read the headers, certificates and limits of the exporter themselves. */
export const tracingVariables = {
  OTEL_SDK_DISABLED: booleanSetting(false).meta({ description: '`true` switches traces off' }),
  OTEL_TRACES_EXPORTER: z
    .enum(['otlp', 'none'], { error: 'must be otlp or none' })
    .default('otlp')
    .meta({ description: '`none` switches traces off' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.meta({
    description:
      'the URL of a collector of [traces](operations.md#traces), over OTLP/HTTP. Without a collector nothing is recorded or sent. The exporter also reads `OTEL_EXPORTER_OTLP_HEADERS`, `…_TIMEOUT`, `…_COMPRESSION` and `…_CERTIFICATE`',
    whenUnset: 'none',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint.meta({
    description: 'the full URL for traces, where it is not `/v1/traces` below `OTEL_EXPORTER_OTLP_ENDPOINT`',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .literal('http/protobuf', { error: 'must be http/protobuf, the protocol of this service' })
    .optional()
    .meta({ description: 'can only be `http/protobuf`', whenUnset: '`http/protobuf`' }),
  OTEL_SERVICE_NAME: z.string().default('dataset-media-service').meta({
    description: 'the name of the service in traces; `OTEL_RESOURCE_ATTRIBUTES` adds other attributes',
  }),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS, { error: `must be one of ${SAMPLERS.join(', ')}` })
    .default('parentbased_always_on')
    .meta({ description: `which traces are recorded: ${SAMPLERS.map((name) => `\`${name}\``).join(', ')}` }),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: 'must be a number from 0 to 1' })
    .min(0, { error: 'must be a number from 0 to 1' })
    .max(1, { error: 'must be a number from 0 to 1' })
    .default(1)
    .meta({ description: 'the share of traces that a `traceidratio` sampler records' }),
} as const;

export interface TracingConfiguration {
  /** The URL to which spans are sent. */
  readonly url: string;
  readonly serviceName: string;
  readonly sampler: SamplerName;
  readonly ratio: number;
}

type TracingVariables = z.output<z.ZodObject<typeof tracingVariables>>;

/** Null if no collector is configured: then nothing is recorded or sent. */
export function tracingConfiguration(env: TracingVariables): TracingConfiguration | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = env;
  const url = traces ?? (base === undefined ? undefined : `${trimEndOf(base, '/')}/v1/traces`);
  if (url === undefined || env.OTEL_SDK_DISABLED || env.OTEL_TRACES_EXPORTER === 'none') return null;
  return {
    url,
    serviceName: env.OTEL_SERVICE_NAME,
    sampler: env.OTEL_TRACES_SAMPLER,
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
  };
}
