import { z } from 'zod';

/**
 * Accepts any value and documents the given schema in the API description, for values that are validated elsewhere. The schema describes the input,
 * even in responses, which return such values unchanged.
 */
export function describedAs(schema: z.ZodType): z.ZodUnknown {
  const anything = z.unknown();
  anything._zod.processJSONSchema = (context, _json, params) => {
    z.core.process(schema, { ...context, io: 'input' }, params);
    context.seen.get(anything)!.ref = schema;
  };
  return anything;
}
