import { z } from 'zod';

export const isValidText = (value: string): boolean => Buffer.from(value).toString() === value && !value.includes('\0');

export const text = (most: number) =>
  z
    .string()
    .trim()
    .min(1, { error: 'Input should not be empty' })
    .max(most, { error: `Input should be at most ${most} characters` })
    .refine(isValidText, { error: 'Input should be valid text' });
