import { z } from 'zod';
import { METADATA_TYPES, type MetadataType } from '../../../common/engine/media-table/media-row';
import { normalForm } from '../../../common/platform/text/normal-form';
import type { GivenMetadata } from '../domain/custom-metadata';
import { isValidText, text } from './annotation-text';

const MAX_FIELDS = 100;
const MAX_NAME = 100;
const MAX_TEXT = 255;
const datetime = z.iso.datetime({ offset: true });

const value = z.union([
  z
    .string()
    .max(MAX_TEXT, { error: `Input should be at most ${MAX_TEXT} characters` })
    .refine(isValidText, { error: 'Input should be valid text' }),
  z.number(),
  z.boolean(),
  z.null(),
]);

const typeOf = (of: string | number | boolean): MetadataType =>
  typeof of === 'string' ? 'string' : typeof of === 'number' ? 'float' : 'boolean';

const field = z
  .object({
    field_name: text(MAX_NAME).transform((name) => normalForm(name, 'NFC')),
    field_type: z
      .enum(METADATA_TYPES)
      .optional()
      .describe('By the value if absent. A `datetime` is a text with its zone, such as `2026-01-31T12:00:00Z`.'),
    value: value.describe('Null removes the field.'),
  })
  .refine(
    ({ value: of, field_type: type }) =>
      of === null || type === undefined || (type === 'datetime' ? datetime.safeParse(of).success : typeOf(of) === type),
    { error: 'Input should be of the type of its field' },
  );

export const customMetadata = z
  .array(field)
  .max(MAX_FIELDS, { error: `Input should have at most ${MAX_FIELDS} fields` })
  .describe('Fields of your own, each with values of one type in all of the dataset. Unchanged if absent.');

/** A datetime is stored in UTC. */
export function givenMetadata({
  field_name: name,
  field_type: given,
  value: of,
}: z.output<typeof field>): GivenMetadata {
  if (of === null) return { name, value: of };
  const type = given ?? typeOf(of);
  return { name, type, value: type === 'datetime' ? new Date(String(of)).toISOString() : of };
}
