import { z } from 'zod';
import { trimEndOf } from '../text/trim-character';
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

/** OpenTelemetry's own names. Its packages read the headers, certificates and limits of the exporter themselves. */
export const tracingVariables = {
  OTEL_SDK_DISABLED: booleanSetting(false),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], { error: 'must be otlp or none' }).default('otlp'),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .literal('http/protobuf', { error: 'must be http/protobuf, the protocol of this service' })
    .optional(),
  OTEL_SERVICE_NAME: z.string().default('dataset-media-service'),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS, { error: `must be one of ${SAMPLERS.join(', ')}` })
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: 'must be a number from 0 to 1' })
    .min(0, { error: 'must be a number from 0 to 1' })
    .max(1, { error: 'must be a number from 0 to 1' })
    .default(1),
} as const;

export interface TracingConfiguration {
  /** Where spans are sent. */
  readonly url: string;
  readonly serviceName: string;
  readonly sampler: SamplerName;
  readonly ratio: number;
}

type TracingVariables = z.output<z.ZodObject<typeof tracingVariables>>;

/** Null if no collector is named: then nothing is recorded and nothing is sent. */
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
