import type { z } from 'zod';
import { ConfigurationError } from './configuration-error';

export type Variables = Readonly<Record<string, string | undefined>>;

const MAY_HOLD_SECRETS = /SECRET|TOKEN|KEY|DATABASE_.*URL|RAY_ADDRESS/;

/** Validates variables against a schema. An empty variable counts as unset. */
export function parseVariables<Schema extends z.ZodType>(schema: Schema, variables: Variables): z.output<Schema> {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const name = String(issue.path[0]);
  const shown = MAY_HOLD_SECRETS.test(name) ? name : `${name}=${String(given[name])}`;
  throw new ConfigurationError(`${shown} is not valid: it ${issue.message}.`);
}
