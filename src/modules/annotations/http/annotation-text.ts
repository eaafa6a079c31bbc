import { z } from 'zod';
import { isValidText } from '../domain/valid-text';

export const text = (most: number) =>
  z
    .string()
    .trim()
    .min(1, { error: 'Input should not be empty' })
    .max(most, { error: `Input should be at most ${most} characters` })
    .refine(isValidText, { error: 'Input should be valid text' });
