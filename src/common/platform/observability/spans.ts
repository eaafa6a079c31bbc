import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Attributes, Span, Tracer } from '@opentelemetry/api';
import { errorMessage } from '../errors/error-code';

const MAX_MESSAGE_CHARACTERS = 300;

export type { Attributes, Span };
export { SpanKind };

/** Records nothing unless `TraceExport` has started. */
const tracer = (): Tracer => trace.getTracer('dataset-media-service');

/** Runs the work in a span below the current one. */
export async function inSpan<T>(
  name: string,
  options: { readonly kind?: SpanKind; readonly attributes?: Attributes },
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return await tracer().startActiveSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setStatus({
        code: SpanStatusCode.ERROR,
        message: errorMessage(error).slice(0, MAX_MESSAGE_CHARACTERS),
      });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Runs the work in a span of a request, which continues the caller's trace. The caller ends the span. */
export function beginRequestSpan(name: string, headers: object, work: (span: Span) => void): void {
  const parent = propagation.extract(ROOT_CONTEXT, headers);
  const span = tracer().startSpan(name, { kind: SpanKind.SERVER }, parent);
  context.with(trace.setSpan(parent, span), () => work(span));
}

export const markFailed = (span: Span): unknown => span.setStatus({ code: SpanStatusCode.ERROR });

/** The current span as the header `traceparent`; null if there is none. */
export function traceParent(): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** Runs the work in the trace that `traceParent` returned, possibly in another process. */
export function withTraceParent<T>(traceparent: string | null, work: () => T): T {
  if (traceparent === null) return work();
  return context.with(propagation.extract(ROOT_CONTEXT, { traceparent }), work);
}

/** The ids of the current trace, for log lines. */
export function traceIds(): { trace_id?: string; span_id?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}
