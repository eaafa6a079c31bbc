import type { z } from 'zod';

/** One item of a 422 response. */
export interface ValidationItem {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
}

/** The request is malformed; sent as 422 with these items. */
export class ValidationFailedError extends Error {
  constructor(readonly items: readonly ValidationItem[]) {
    super('The request is not valid');
  }
}

const MAX_ECHOED_CHARACTERS = 1000;
const NEVER_ECHOED: ReadonlySet<unknown> = new Set(['password']);

function echo(input: unknown): unknown {
  if (typeof input === 'string')
    return input.length > MAX_ECHOED_CHARACTERS ? `${input.slice(0, MAX_ECHOED_CHARACTERS)}…` : input;
  if (typeof input !== 'object' || input === null) return input ?? null;
  return isShortJson(input) ? input : null;
}

/** A value nested too deeply for JSON is not short either. */
function isShortJson(input: object): boolean {
  try {
    return JSON.stringify(input).length <= MAX_ECHOED_CHARACTERS;
  } catch {
    return false;
  }
}

function inputAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Record<PropertyKey, unknown>)[key];
  }
  return current;
}

/** A custom issue may set its type and input in `params`, because no path leads into JSON text. */
export function toValidationItems(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  place: string,
): ValidationItem[] {
  return issues.map((issue) => {
    const said: Readonly<Record<string, unknown>> | undefined = issue.code === 'custom' ? issue.params : undefined;
    const input = said !== undefined && 'input' in said ? said['input'] : inputAt(value, issue.path);
    const missing = issue.code === 'invalid_type' && input === undefined;
    const type = typeof said?.['type'] === 'string' ? said['type'] : issue.code;
    return {
      type: missing ? 'missing' : type,
      loc: [place, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))],
      msg: missing ? 'Field required' : issue.message,
      input: NEVER_ECHOED.has(issue.path.at(-1)) ? null : echo(input),
    };
  });
}
