import { z } from 'zod';

/** Accepts anything, and shows the schema in the API description: for what is read by more than the schema. */
export function describedAs(schema: z.ZodType): z.ZodUnknown {
  const anything = z.unknown();
  anything._zod.processJSONSchema = (context, _json, params) => {
    z.core.process(schema, context, params);
    context.seen.get(anything)!.ref = schema;
  };
  return anything;
}
