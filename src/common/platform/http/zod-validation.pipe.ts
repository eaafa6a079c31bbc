import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { toValidationItems, ValidationFailedError } from './validation-item';

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
