import { z } from 'zod';

const IS_DATETIME = z.iso.datetime({ offset: true });
const LONGEST = 40;

/** An ISO 8601 time with its zone, such as `2026-01-31T12:00:00Z`. */
export const isDatetime = (value: string): boolean =>
  value.length <= LONGEST && IS_DATETIME.safeParse(value).success && !Number.isNaN(Date.parse(value));
