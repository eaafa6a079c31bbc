import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { toValidationItems, ValidationFailedError } from './validation-item';

const PLACES: Record<ArgumentMetadata['type'], string> = {
  body: 'body',
  query: 'query',
  param: 'path',
  custom: 'body',
};

/** Validates what a route declares as `@Query({ schema })`, `@Body({ schema })` or `@Param({ schema })`. */
@Injectable()
export class ZodValidationPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata & { schema?: unknown }): unknown {
    if (!(metadata.schema instanceof z.ZodType)) return value;
    return parseOrFail(metadata.schema, value ?? {}, PLACES[metadata.type]);
  }
}

export function parseOrFail<T>(schema: z.ZodType<T>, value: unknown, place: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ValidationFailedError(toValidationItems(parsed.error.issues, value, place));
}
