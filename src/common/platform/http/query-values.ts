import { z } from 'zod';
import { EXAMPLE } from './description/example-ids';

export const uuid = z.uuid({ error: 'Input should be a valid UUID' });

/** As ids are stored. */
export const lowerUuid = uuid.transform((id) => id.toLowerCase());

/** Also accepts UUIDs without a version, such as the ids of a new installation. */
export const anyUuid = z.guid({ error: 'Input should be a valid UUID' }).transform((id) => id.toLowerCase());

/** Clients send the value itself, so the pattern of the parsed text is omitted from the description. */
const described = { pattern: undefined };

/** Accepts `true/false/1/0` in any case, as forms and query strings send them. */
export const booleanText = z
  .string()
  .transform((value, context) => {
    const lower = value.toLowerCase();
    if (lower === 'true' || lower === '1') return true;
    if (lower === 'false' || lower === '0') return false;
    context.addIssue({ code: 'custom', message: 'Input should be true or false' });
    return z.NEVER;
  })
  .meta({ ...described, type: 'boolean' });

/** An ISO 8601 time; UTC if it has no zone. */
export const timeText = z.string().transform((value, context) => {
  const zoned = /(Z|[+-]\d\d:?\d\d)$/i.test(value) || !value.includes('T') ? value : `${value}Z`;
  const time = new Date(zoned);
  const year = time.getUTCFullYear();
  // ISO 8601 years have four digits, and Postgres supports none before 4713 BC.
  if (year >= 1 && year <= 9999) return time;
  context.addIssue({ code: 'custom', message: 'Input should be a time such as 2026-03-31T16:47:19' });
  return z.NEVER;
});

export const wholeNumber = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/, { error: 'Input should be a whole number' })
    .transform(Number)
    .pipe(
      z
        .number()
        .min(minimum, { error: `Input should be at least ${minimum}` })
        .max(maximum, { error: `Input should be at most ${maximum}` }),
    )
    .meta({ ...described, type: 'integer', minimum, maximum });

/** A number from 0 to 1, as text. */
export const fraction = z
  .string()
  .regex(/^-?(\d{1,20}(\.\d{0,20})?|\.\d{1,20})([eE][+-]?\d{1,3})?$/, { error: 'Input should be a number' })
  .transform(Number)
  .pipe(z.number().min(0, { error: 'Input should be at least 0' }).max(1, { error: 'Input should be at most 1' }));

/** Undefined if the text is not valid JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A repeated parameter is parsed as a list, which is rejected. */
export function rejectRepeated(values: unknown, context: Pick<z.RefinementCtx, 'addIssue'>): unknown {
  for (const [name, value] of Object.entries(values ?? {})) {
    if (!Array.isArray(value)) continue;
    const message = 'Input should be given once';
    context.addIssue({ code: 'custom', path: [name], message, params: { type: 'invalid_type' } });
  }
  return values;
}

export const datasetPath = z.object({
  dataset_id: uuid.meta({ description: 'The dataset.', example: EXAMPLE.dataset }),
});

/** The only format of times in responses: ISO 8601 in UTC, with microseconds, without a zone. */
export const formatTimestamp = (time: Date): string => time.toISOString().replace('Z', '000');

export const formatTimestampOrNull = (time: Date | null): string | null =>
  time === null ? null : formatTimestamp(time);

/** A name chosen by a user. */
export const givenName = z
  .string()
  .trim()
  .min(1, { error: 'Input should not be empty' })
  .max(255, { error: 'Input should be at most 255 characters' })
  .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), {
    error: 'Input should have no control characters',
  });

export const givenDescription = z
  .string()
  .max(10_000, { error: 'Input should be at most 10000 characters' })
  // Postgres accepts all other characters.
  .refine((text) => !/[\0\p{Cs}]/u.test(text), { error: 'Input should have no NUL and no half of a surrogate pair' });

const MOST_IDS = 100;
const UUID_LENGTH = 36;
const TOO_MANY = `Input should have at most ${MOST_IDS} ids`;

/** Several ids in one parameter. */
export const idList = (description: string) =>
  z
    .string()
    .max(MOST_IDS * (UUID_LENGTH + 1), { error: TOO_MANY, abort: true })
    .transform((text) => text.toLowerCase().split(','))
    .pipe(z.array(uuid).max(MOST_IDS, { error: TOO_MANY }))
    .meta({
      type: 'string',
      description: `${description}, 1 to ${MOST_IDS}, with commas.`,
      example: `${EXAMPLE.media},${EXAMPLE.otherMedia}`,
    });
