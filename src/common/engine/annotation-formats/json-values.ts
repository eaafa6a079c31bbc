import type { AttributeValue } from '../annotations/annotation';

export type JsonObject = Readonly<Record<string, unknown>>;

export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** NaN for what is no number, so that it is found to be a fault. */
export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : NaN);

export const numbersOf = (value: unknown): number[] => listOf(value).map(numberOf);

/** Undefined if it is absent. */
export const optional = <T>(value: unknown, read: (value: unknown) => T): T | undefined =>
  value === undefined || value === null ? undefined : read(value);

/** Of a text or a number; empty for others, and for whole numbers that are too large to be exact. */
export const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : '';
};

/** Values of other types are left out. */
export function attributesOf(value: unknown): Readonly<Record<string, AttributeValue>> | undefined {
  const entries = Object.entries(objectOf(value)).filter((entry): entry is [string, AttributeValue] =>
    ['string', 'number', 'boolean'].includes(typeof entry[1]),
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Without the properties that are undefined. */
export const defined = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
