import { z } from 'zod';
import type { FoundLabel, FoundObject } from '../picture-model';
import {
  boxBetween,
  checkedLabels,
  checkedObjects,
  type BoxUnit,
  type ClaimedObject,
  type PictureSize,
} from '../servers/checked-findings';
import { UnreadableAnswerError } from '../servers/model-server-errors';

const confidence = z.number().optional().catch(undefined);
const corners = z.tuple([z.number(), z.number(), z.number(), z.number()]);

const labelItem = z.union([
  z.string().transform((label) => ({ label, confidence: undefined })),
  z.object({ label: z.string(), confidence }),
]);

/** Many models are trained to write `bbox_2d`, whatever they are asked for. */
const objectItem = z.union([
  z.object({ label: z.string(), confidence, bbox_2d: corners }),
  z
    .object({ label: z.string(), confidence, box: corners })
    .transform(({ box, ...item }) => ({ ...item, bbox_2d: box })),
]);

/** The schema of the answer for servers with structured output. */
export const LABELS_SCHEMA = listSchema('labels', {
  label: { type: 'string' },
  confidence: { type: 'number' },
});

export const OBJECTS_SCHEMA = listSchema('objects', {
  label: { type: 'string' },
  bbox_2d: { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 4 },
  confidence: { type: 'number' },
});

export const listedLabels = (json: unknown): FoundLabel[] => checkedLabels(readable(listIn(json, 'labels'), labelItem));

export function listedObjects(json: unknown, unit: BoxUnit, size: PictureSize): FoundObject[] {
  const items = readable(listIn(json, 'objects'), objectItem);
  return checkedObjects(
    items.map(({ label, confidence: sure, bbox_2d }): ClaimedObject => {
      return { label, confidence: sure, box: boxBetween(bbox_2d, unit, size) };
    }),
  );
}

/** Models leave out the object around the list, if nothing makes them write it. */
function listIn(json: unknown, name: string): readonly unknown[] {
  const list = Array.isArray(json) ? json : (json as Readonly<Record<string, unknown>>)[name];
  if (!Array.isArray(list)) throw new UnreadableAnswerError(`has no list of ${name}`);
  return list as unknown[];
}

/** The items that can be read, unless none of them can. */
function readable<Item>(list: readonly unknown[], schema: z.ZodType<Item>): Item[] {
  const items = list.flatMap((each) => {
    const { success, data } = schema.safeParse(each);
    return success ? [data] : [];
  });
  if (items.length === 0 && list.length > 0) throw new UnreadableAnswerError('has a list in an unknown format');
  return items;
}

function listSchema(name: string, properties: Readonly<Record<string, object>>): object {
  const closed = (of: Readonly<Record<string, object>>): object => ({
    type: 'object',
    properties: of,
    required: Object.keys(of),
    additionalProperties: false,
  });
  const schema = closed({ [name]: { type: 'array', items: closed(properties) } });
  return { type: 'json_schema', json_schema: { name, strict: true, schema } };
}
