import { z } from 'zod';

/** A name that people give. */
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
