import { z } from 'zod';
import type { AttributeTest } from '../../../../common/engine/annotations/attribute-tests';
import { isDatetime } from '../../../../common/platform/text/iso-datetime';
import { normalForm } from '../../../../common/platform/text/texts';
import type { KeywordQuery } from '../../../../common/engine/media-table/caption-index';
import { LEAST_SIMILARITY, NOT_KEPT } from '../../../versions';
import { keywordGrammar, parseKeywords } from './parse-keywords';
import type { VqlIssueType } from './vql-place';

export const MAX_TEXT_LENGTH = 10_000;
/** The maximum length of the name of a custom field. */
export const MAX_FIELD_NAME = 100;
export const MAX_LIST_LENGTH = 1_000;
const MAX_WHOLE_NUMBER = 1e15;

const UUID = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
const UUID_OR_UNTAGGED = /^(?:untagged|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/;
const NUL_OR_LONE_SURROGATE = /[\0\p{Cs}]/u;

export type TextProblem = { readonly type: 'too_small' | 'too_big' | 'invalid_format'; readonly message: string };

/** The reason why a text is not valid. */
export function problemOf(text: string): TextProblem | undefined {
  if (text.length > MAX_TEXT_LENGTH)
    return { type: 'too_big', message: `Input should have at most ${MAX_TEXT_LENGTH} characters` };
  if (text.trim() === '') return { type: 'too_small', message: 'Input should not be empty' };
  if (NUL_OR_LONE_SURROGATE.test(text))
    return { type: 'invalid_format', message: 'Input should have no NUL and no half of a surrogate pair' };
  return undefined;
}

/** Adds an issue for which zod has no code, and stops further checks. */
const problem = (type: VqlIssueType, message: string, input: unknown) =>
  ({ code: 'custom', message, params: { type }, input, continue: false }) as const;

export const text = z
  .string({ error: 'Input should be a string' })
  .check(({ value, issues }) => {
    const found = problemOf(value);
    if (found !== undefined) issues.push(problem(found.type, found.message, value));
  })
  .meta({ minLength: 1, maxLength: MAX_TEXT_LENGTH });

export const keywords = text
  .transform((value, { issues }): KeywordQuery => {
    const query = parseKeywords(value);
    if (query.kind !== 'error') return query;
    issues.push(problem('invalid_format', query.message, value));
    return z.NEVER;
  })
  .meta({ description: `Words to search for: ${keywordGrammar}.` });

const INVALID_UUID = { error: 'Input should be a valid UUID' };

export const uuid = text.regex(UUID, INVALID_UUID).toLowerCase().meta({ format: 'uuid' });
export const tagId = text.regex(UUID_OR_UNTAGGED, INVALID_UUID).toLowerCase();

const between = (least: number, most: number) => ({
  least: { error: `Input should be at least ${least}`, abort: true },
  most: { error: `Input should be at most ${most}`, abort: true },
});

const inFraction = between(0, 1);
export const fraction = z
  .number({ error: 'Input should be a number' })
  .min(0, inFraction.least)
  .max(1, inFraction.most);

/** Similarity of near duplicates. */
export const similarity = fraction.min(LEAST_SIMILARITY, { error: NOT_KEPT });

const inWholeNumbers = between(0, MAX_WHOLE_NUMBER);
export const wholeNumber = z
  .number({ error: 'Input should be a whole number' })
  .check(({ value, issues }) => {
    if (!Number.isInteger(value)) issues.push(problem('invalid_type', 'Input should be a whole number', value));
  })
  .min(0, inWholeNumbers.least)
  .max(MAX_WHOLE_NUMBER, inWholeNumbers.most)
  .meta({ type: 'integer' });

export const oneOf = <const T extends readonly string[]>(names: T) =>
  z.enum(names, { error: `Input should be one of ${names.join(', ')}` });

const assertShortList = ({ value, issues }: z.core.ParsePayload): void => {
  if (!Array.isArray(value)) issues.push(problem('invalid_type', 'Input should be a list', value));
  else if (value.length === 0) issues.push(problem('too_small', 'Input should have at least one value', value));
  else if (value.length > MAX_LIST_LENGTH)
    issues.push(problem('too_big', `Input should have at most ${MAX_LIST_LENGTH} values`, value));
};

/** A non-empty list without repetitions. Its length is checked before its values. */
export const listOf = <T>(item: z.ZodType<T>) =>
  z.preprocess(
    (value, context) => {
      assertShortList(context);
      return value;
    },
    z
      .array(item)
      .meta({ minItems: 1, maxItems: MAX_LIST_LENGTH })
      .transform((values): readonly T[] => [...new Set(values)]),
  );

/** Uses `list` for lists, and `one` for other values. */
export const oneOrMore = <T>(item: z.ZodType<T>) =>
  z.union([item.transform((value): readonly T[] => [value]), listOf(item)]);

export type Bounds = readonly [least: number, most: number];

export const bounds = z.preprocess(
  (value, { issues }) => {
    if (!Array.isArray(value) || value.length !== 2)
      issues.push(problem('invalid_type', 'Input should be a list of two whole numbers', value));
    return value;
  },
  z.tuple([wholeNumber, wholeNumber]).check(({ value, issues }) => {
    if (value[0] > value[1]) issues.push(problem('invalid_value', 'The first should be at most the second', value));
  }),
);

const pairOf = (item: z.ZodType<number>) =>
  z.preprocess(
    (value, { issues }) => {
      if (!Array.isArray(value) || value.length !== 2)
        issues.push(problem('invalid_type', 'Input should be a list of two numbers', value));
      return value;
    },
    z.tuple([item, item]).check(({ value, issues }) => {
      if (value[0] > value[1]) issues.push(problem('invalid_value', 'The first should be at most the second', value));
    }),
  );

export const fractionPair = pairOf(fraction);
export const numberPair = pairOf(z.number({ error: 'Input should be a number' }));

export const yesOrNo = z.boolean({ error: 'Input should be true or false' });

export type Scalar = string | number | boolean;

/** The name of a field in its stored form. */
export const fieldName = text
  .max(MAX_FIELD_NAME, { error: `Input should have at most ${MAX_FIELD_NAME} characters`, abort: true })
  .transform((name) => normalForm(name.trim(), 'NFC'));

const NOT_FINITE = problem('invalid_type', 'Input should be a finite number', null);

/** Reports values of other types before the schema is applied. */
const typed = <T>(types: readonly string[], message: string, schema: z.ZodType<T>) =>
  z.preprocess((value, { issues }) => {
    if (!types.includes(typeof value)) issues.push(problem('invalid_type', message, value));
    else if (typeof value === 'number' && !Number.isFinite(value)) issues.push({ ...NOT_FINITE, input: value });
    return value;
  }, schema);

export const anyValue = typed<Scalar>(
  ['string', 'number', 'boolean'],
  'Input should be a string, a number, true or false',
  z.union([text, z.number(), z.boolean()]),
);

const MAX_ATTRIBUTES = 20;

/** `refuseAs` of `VqlPlace` relies on the order. */
const attributeTest: z.ZodType<AttributeTest> = z.union([anyValue, listOf(text), numberPair]);

/** By the names of attributes. */
export const attributeTests = z.preprocess(
  (value, { issues }) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      issues.push(problem('invalid_type', 'Input should be an object with attributes', value));
    else if (Object.keys(value).length === 0)
      issues.push(problem('too_small', 'Input should have at least one attribute', value));
    else if (Object.keys(value).length > MAX_ATTRIBUTES)
      issues.push(problem('too_big', `Input should have at most ${MAX_ATTRIBUTES} attributes`, value));
    // A schema of records would drop it.
    else if (Object.hasOwn(value, '__proto__'))
      issues.push(problem('invalid_value', 'Input should have no attribute with the name __proto__', value));
    return value;
  },
  z.record(z.string(), attributeTest).meta({ minProperties: 1, maxProperties: MAX_ATTRIBUTES }),
);

const datetime = text.check(({ value, issues }) => {
  if (!isDatetime(value))
    issues.push(
      problem('invalid_format', 'Input should be a number, or a datetime such as 2026-01-31T12:00:00Z', value),
    );
});

/** A value with an order: a number or a datetime. */
export const ordered = typed<string | number>(
  ['string', 'number'],
  'Input should be a number, or a datetime such as 2026-01-31T12:00:00Z',
  z.union([datetime, z.number()]),
);

const orderOf = (value: string | number): number => (typeof value === 'string' ? Date.parse(value) : value);

export const orderedPair = z.preprocess(
  (value, { issues }) => {
    if (!Array.isArray(value) || value.length !== 2)
      issues.push(problem('invalid_type', 'Input should be a list of two numbers or two datetimes', value));
    return value;
  },
  z.tuple([ordered, ordered]).check(({ value: [first, second], value, issues }) => {
    if (typeof first !== typeof second)
      issues.push(problem('invalid_type', 'Input should be a list of two numbers or two datetimes', value));
    else if (orderOf(first) > orderOf(second))
      issues.push(problem('invalid_value', 'The first should be at most the second', value));
  }),
);

const MAX_CORNERS = 256;

const corner = z.preprocess(
  (value, { issues }) => {
    if (!Array.isArray(value) || value.length !== 2)
      issues.push(problem('invalid_type', 'Input should be a list of x and y', value));
    return value;
  },
  z.tuple([fraction, fraction]),
);

/** The corners of an area of the map. Their number is checked before their values. */
export const polygon = z.preprocess(
  (value, { issues }) => {
    if (!Array.isArray(value)) issues.push(problem('invalid_type', 'Input should be a list of corners', value));
    else if (value.length < 3) issues.push(problem('too_small', 'Input should have at least 3 corners', value));
    else if (value.length > MAX_CORNERS)
      issues.push(problem('too_big', `Input should have at most ${MAX_CORNERS} corners`, value));
    return value;
  },
  z.array(corner).meta({ minItems: 3, maxItems: MAX_CORNERS }),
);
