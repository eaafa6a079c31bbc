import type { z } from 'zod';

/** One item of a 422 answer. */
export interface ValidationItem {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
}

/** A request that is malformed; becomes 422 with its items. */
export class ValidationFailedError extends Error {
  constructor(readonly items: readonly ValidationItem[]) {
    super('The request is not valid');
  }
}

const MAX_ECHOED_CHARACTERS = 1000;

const echo = (input: unknown): unknown =>
  typeof input === 'string' && input.length > MAX_ECHOED_CHARACTERS
    ? `${input.slice(0, MAX_ECHOED_CHARACTERS)}…`
    : (input ?? null);

function inputAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Record<PropertyKey, unknown>)[key];
  }
  return current;
}

export function toValidationItems(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  place: string,
): ValidationItem[] {
  return issues.map((issue) => {
    const input = inputAt(value, issue.path);
    const missing = issue.code === 'invalid_type' && input === undefined;
    return {
      type: missing ? 'missing' : issue.code,
      loc: [place, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))],
      msg: missing ? 'Field required' : issue.message,
      input: echo(input),
    };
  });
}
