import { isIP } from 'node:net';
import { z } from 'zod';
import { hostnameOf } from './host-names';
import { ConfigurationError } from './configuration-error';

export type Variables = Readonly<Record<string, string | undefined>>;

const MAY_HOLD_SECRETS = /SECRET|TOKEN|KEY|DATABASE_.*URL|RAY_ADDRESS/;

export const GIB = 1024 ** 3;
export const HOUR = 60 * 60;

export const port = z.coerce.number({ error: 'must be a port number' }).int().min(0).max(65535);

export const byteCount = z.coerce.number({ error: 'must be a number of bytes' }).int().positive();

export const bytes = (fallback: number) => byteCount.default(fallback);

export const url = (example: string) => z.url({ error: `must be a URL such as ${example}` });

const RAY_ADDRESS = 'must be the URL of a Ray dashboard such as http://ray-head:8265, without a path or credentials';
export const rayAddress = z
  .url({ protocol: /^https?$/, error: RAY_ADDRESS })
  .transform((text) => new URL(text))
  .refine(({ username, password, search, hash }) => `${username}${password}${search}${hash}` === '', {
    error: RAY_ADDRESS,
  })
  .refine(({ pathname }) => pathname === '/', { error: RAY_ADDRESS })
  .transform(({ origin }) => origin);

export const seconds = z.coerce.number({ error: 'must be a number of seconds' }).int().positive();

export const processors = z.coerce.number({ error: 'must be a number' }).int().min(1).max(256);

export const commaList = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

export const hostNames = commaList
  .transform((names) => names.map((name) => name.toLowerCase()))
  .refine((names) => names.every((name) => hostnameOf(name) === name), {
    error: 'must name hosts such as media.example.com or [fd00::7], without ports',
  });

const isAddressRange = (text: string): boolean => {
  const [address, bits] = text.split('/', 2);
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address!)]!;
  return most > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
};

export const proxyList = commaList.refine((ranges) => ranges.every(isAddressRange), {
  error: 'must name addresses or ranges such as 10.0.0.0/8',
});

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
