import { z } from 'zod';

const IS_DATETIME = z.iso.datetime({ offset: true });
const LONGEST = 40;

/** An ISO 8601 time with its zone, such as `2026-01-31T12:00:00Z`, whose year has four digits in UTC, too. */
export function isDatetime(value: string): boolean {
  if (value.length > LONGEST || !IS_DATETIME.safeParse(value).success) return false;
  const year = new Date(value).getUTCFullYear();
  return year >= 1 && year <= 9999;
}
