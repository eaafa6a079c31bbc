import { isDeepStrictEqual } from 'node:util';

const COMPOSITIONS = ['oneOf', 'anyOf', 'allOf'] as const;

/** Replaces equal alternatives by one of them, and a composition of a single schema by that schema. */
export function simplifySchemas<T>(value: T): T {
  if (Array.isArray(value)) return value.map((each: unknown) => simplifySchemas(each)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const simplified = Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [name, simplifySchemas(inner)]),
  );
  return COMPOSITIONS.reduce(withoutRepetitions, simplified) as T;
}

function withoutRepetitions(
  schema: Readonly<Record<string, unknown>>,
  name: (typeof COMPOSITIONS)[number],
): Readonly<Record<string, unknown>> {
  const { [name]: members, ...rest } = schema;
  if (!Array.isArray(members)) return schema;
  const distinct = members.filter(
    (member, index) => members.findIndex((other) => isDeepStrictEqual(other, member)) === index,
  ) as Record<string, unknown>[];
  const [only, ...others] = distinct;
  if (only === undefined || others.length > 0) return { ...schema, [name]: distinct };
  return Object.keys(only).some((key) => key in rest) ? { ...schema, [name]: distinct } : { ...only, ...rest };
}
