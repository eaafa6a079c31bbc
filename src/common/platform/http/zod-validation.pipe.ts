import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { z } from 'zod';

/** One item of a 422 response. */
export interface ValidationItem {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
}

/** The request is malformed; sent as 422 with these items. */
export class ValidationFailedError extends Error {
  constructor(readonly items: readonly ValidationItem[]) {
    super('The request is not valid');
  }
}

const MAX_ECHOED_CHARACTERS = 1000;
const NEVER_ECHOED: ReadonlySet<unknown> = new Set(['password']);

const PLACES: Record<ArgumentMetadata['type'], string> = {
  body: 'body',
  query: 'query',
  param: 'path',
  custom: 'body',
};

/** Validates parameters declared as `@Query({ schema })`, `@Body({ schema })` or `@Param({ schema })`. */
@Injectable()
export class ZodValidationPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata & { schema?: unknown }): unknown {
    if (!(metadata.schema instanceof z.ZodType)) return value;
    return parseOrFail(metadata.schema, value ?? {}, PLACES[metadata.type]);
  }
}

export function parseOrFail<T>(schema: z.ZodType<T>, value: unknown, place: string): T {
  const parsed = parseInput(schema, value);
  if (parsed.success) return parsed.data;
  throw new ValidationFailedError(toValidationItems(parsed.error.issues, value, place));
}

/** Like `safeParse`, but also rejects texts that Postgres cannot store. All schemas of routes are validated here. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> {
  const parsed = schema.safeParse(value);
  const path = parsed.success ? placeOfBadText(value) : undefined;
  if (path === undefined) return parsed;
  const message = 'Input should have no NUL and no half of a surrogate pair';
  return {
    success: false,
    error: new z.ZodError([{ code: 'custom', path, message, params: { type: 'invalid_format' } }]) as z.ZodError<T>,
  };
}

/** Postgres rejects NUL in texts, and lone surrogates in JSON. */
const isBadText = (text: string): boolean => text.includes('\0') || /\p{Cs}/u.test(text);

function placeOfBadText(value: unknown): (string | number)[] | undefined {
  if (typeof value === 'string') return isBadText(value) ? [] : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const inside = isBadText(key) ? [] : placeOfBadText(inner);
    if (inside !== undefined) return [Array.isArray(value) ? Number(key) : key, ...inside];
  }
  return undefined;
}

function echo(input: unknown): unknown {
  if (typeof input === 'string')
    return input.length > MAX_ECHOED_CHARACTERS ? `${input.slice(0, MAX_ECHOED_CHARACTERS)}…` : input;
  if (typeof input !== 'object' || input === null) return input ?? null;
  return isShortJson(input) ? input : null;
}

/** A value that is nested too deeply for JSON is not short either. */
function isShortJson(input: object): boolean {
  try {
    return JSON.stringify(input).length <= MAX_ECHOED_CHARACTERS;
  } catch {
    return false;
  }
}

function inputAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Record<PropertyKey, unknown>)[key];
  }
  return current;
}

/** A custom issue may set its type and input in `params`, because paths do not lead into JSON texts. */
export function toValidationItems(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  place: string,
): ValidationItem[] {
  return issues.map((issue) => {
    const said: Readonly<Record<string, unknown>> | undefined = issue.code === 'custom' ? issue.params : undefined;
    const input = said !== undefined && 'input' in said ? said['input'] : inputAt(value, issue.path);
    const missing = issue.code === 'invalid_type' && input === undefined;
    const type = typeof said?.['type'] === 'string' ? said['type'] : issue.code;
    return {
      type: missing ? 'missing' : type,
      loc: [place, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))],
      msg: missing ? 'Field required' : issue.message,
      input: NEVER_ECHOED.has(issue.path.at(-1)) ? null : echo(input),
    };
  });
}
