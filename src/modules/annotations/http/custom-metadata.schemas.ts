import { z } from 'zod';
import { METADATA_TYPES } from '../../../common/engine/media-table/media-row';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { datasetPath, uuid } from '../../../common/platform/http/query-values';
import { isDatetime } from '../../../common/platform/text/iso-datetime';
import { normalForm } from '../../../common/platform/text/texts';
import type { MetadataField } from '../../datasets';
import {
  type GivenMetadata,
  MAX_FIELD_NAME,
  MAX_LINK,
  MAX_OPTION,
  MAX_OPTIONS,
  MAX_STRING,
  isValidText,
} from '../domain/custom-metadata';
import { IMPORT_STATUSES, MAX_IMPORTED_ROWS } from '../domain/metadata-import';

export const text = (most: number) =>
  z
    .string()
    .trim()
    .min(1, { error: 'Input should not be empty' })
    .max(most, { error: `Input should be at most ${most} characters` })
    .refine(isValidText, { error: 'Input should be valid text' });

const MAX_FIELDS = 100;

const fieldName = text(MAX_FIELD_NAME).transform((name) => normalForm(name, 'NFC'));

const shortText = (most: number) =>
  z
    .string()
    .max(most, { error: `Input should be at most ${most} characters` })
    .refine(isValidText, { error: 'Input should be valid text' });

const value = z.union([
  shortText(MAX_LINK),
  z.number(),
  z.boolean(),
  z.array(shortText(MAX_OPTION)).min(1).max(MAX_OPTIONS),
  z.null(),
]);

type Value = z.output<typeof value>;

const fits = (of: Value, type: MetadataField['type'] | undefined): boolean => {
  if (of === null) return true;
  if (type === undefined) return typeof of !== 'string' || of.length <= MAX_STRING;
  if (type === 'enum') return typeof of === 'object' || (typeof of === 'string' && of.length <= MAX_OPTION);
  if (type === 'datetime') return typeof of === 'string' && isDatetime(of);
  if (type === 'string') return typeof of === 'string' && of.length <= MAX_STRING;
  return typeof of === { float: 'number', boolean: 'boolean', link: 'string' }[type];
};

const field = z
  .object({
    field_name: fieldName,
    field_type: z
      .enum(METADATA_TYPES)
      .optional()
      .describe(
        'That of the field, or else by the value, if absent. A `datetime` is a text with its zone, such as `2026-01-31T12:00:00Z`.',
      ),
    value: value.describe('Null removes the field.'),
  })
  .refine(({ value: of, field_type: type }) => fits(of, type), {
    error: 'Input should be of the type of its field',
  });

export const customMetadata = z
  .array(field)
  .max(MAX_FIELDS, { error: `Input should have at most ${MAX_FIELDS} fields` })
  .describe('Fields of your own, each with values of one type in all of the dataset. Unchanged if absent.');

export const givenMetadata = ({
  field_name: name,
  field_type: type,
  value: of,
}: z.output<typeof field>): GivenMetadata => ({
  name,
  value: of,
  ...(type !== undefined && { type }),
});

export const fieldBody = z
  .object({
    field_name: fieldName,
    field_type: z.enum(METADATA_TYPES, { error: `Input should be one of ${METADATA_TYPES.join(', ')}` }),
    enum_options: z
      .array(text(MAX_OPTION))
      .min(1, { error: 'Input should have an option' })
      .max(MAX_OPTIONS, { error: `Input should have at most ${MAX_OPTIONS} options` })
      .refine((options) => new Set(options).size === options.length, { error: 'Each option should be there once' })
      .optional()
      .describe('Of an enum: the values that it takes.'),
    is_multi: z.boolean().optional().describe('Of an enum: whether a value is a list of options; default false.'),
  })
  .refine(({ field_type: type, enum_options: options }) => (type === 'enum') === (options !== undefined), {
    error: 'An enum should have enum_options, and other types should have none',
    path: ['enum_options'],
  })
  .refine(({ field_type: type, is_multi: isMulti }) => type === 'enum' || isMulti !== true, {
    error: 'Only an enum can have several options in a value',
    path: ['is_multi'],
  })
  .meta({ example: { field_name: 'weather', field_type: 'enum', enum_options: ['sun', 'rain'], is_multi: false } });

export const fieldOf = (body: z.output<typeof fieldBody>): MetadataField => ({
  name: body.field_name,
  type: body.field_type,
  enumOptions: body.enum_options ?? null,
  isMulti: body.is_multi ?? false,
});

export const metadataTaskPath = datasetPath.extend({
  task_id: uuid
    .transform((id) => id.toLowerCase())
    .meta({ description: 'Of the field that was declared.', example: EXAMPLE.metadataTask }),
});

export const metadataTask = z
  .object({ task_id: z.uuid(), status: z.enum(IMPORT_STATUSES) })
  .meta({ example: { task_id: EXAMPLE.metadataTask, status: 'INIT' } });

export const metadataTaskStatus = z
  .object({
    task_id: z.uuid(),
    status: z.enum(IMPORT_STATUSES),
    progress: z.number(),
    inserted_rows: z.int(),
    error_count: z.int(),
    sample_errors: z.array(z.object({ reason: z.string(), row_index: z.int() })).describe('The first of the errors.'),
  })
  .meta({
    example: {
      task_id: EXAMPLE.metadataTask,
      status: 'COMPLETED_WITH_ERRORS',
      progress: 100,
      inserted_rows: 1199,
      error_count: 1,
      sample_errors: [{ reason: 'The value "snow" is not one of the options sun, rain.', row_index: 7 }],
    },
  });

export const metadataSchema = z
  .array(
    z.object({
      field_name: z.string(),
      field_type: z.enum(METADATA_TYPES),
      enum_options: z.array(z.string()).nullable(),
      is_multi: z.boolean(),
    }),
  )
  .meta({
    example: [
      { field_name: 'site', field_type: 'string', enum_options: null, is_multi: false },
      { field_name: 'weather', field_type: 'enum', enum_options: ['sun', 'rain'], is_multi: false },
    ],
  });

/** The body is read by hand: a form may hold the same list. */
export const valuesBody = {
  required: true,
  schema: {
    type: 'array',
    maxItems: MAX_IMPORTED_ROWS,
    items: {
      type: 'object',
      required: ['media_id', 'value'],
      properties: {
        media_id: { type: 'string', format: 'uuid', description: 'An image, a frame or an object.' },
        value: {
          description: 'Of the type of the field.',
          oneOf: [
            { type: 'string' },
            { type: 'number' },
            { type: 'boolean' },
            { type: 'array', items: { type: 'string' } },
          ],
        },
      },
    },
    example: [{ media_id: EXAMPLE.media, value: 'sun' }],
  },
};
