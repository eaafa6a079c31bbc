import { z } from 'zod';
import { VARIABLE_SECTIONS } from './environment.schema';
import { NO_EFFECT } from './runtime-settings.schema';
import { GIB, HOUR } from './variable-types';

const INTRODUCTION = `# Configuration
The service is configured by environment variables. With an invalid value it does not start and prints one sentence that says why. An empty variable counts as unset.
`;

const MORE: Readonly<Record<string, string>> = {
  'Settings that an admin may change': `These can also be changed while the service runs, at once and in every process: \`GET /api/v1/admin/settings/list\` lists them, \`POST /api/v1/admin/settings\` sets
one, and \`DELETE /api/v1/admin/settings?key=…\` resets it to the value from the environment.
`,
};

/** A value as in the environment, with a readable form of it. */
function shownDefault(name: string, value: unknown): string {
  if (typeof value === 'string') return `\`${value}\``;
  if (typeof value === 'number' && name.endsWith('_BYTES')) return `${value / GIB} GiB`;
  if (typeof value === 'number' && value >= HOUR && /_SECONDS$|_LIFETIME$/.test(name))
    return `${value} (${value % (24 * HOUR) === 0 ? `${value / (24 * HOUR)} d` : `${value / HOUR} h`})`;
  return String(value);
}

function rowOf(name: string, schema: z.ZodType): string {
  const { description, whenUnset } = schema.meta() ?? {};
  if (description === undefined) throw new Error(`${name} has no description: add one to its schema by .meta().`);
  const value = whenUnset === undefined ? schema.parse(undefined) : undefined;
  const shown = (whenUnset as string | undefined) ?? (value === undefined ? '' : shownDefault(name, value));
  return `| \`${name}\` | ${shown} | ${description.replaceAll('|', '\\|')} |\n`;
}

function sectionOf(title: string, variables: Readonly<Record<string, z.ZodType>>): string {
  const all = Object.entries(variables);
  const unused = all.filter(([, { description }]) => description?.endsWith(NO_EFFECT));
  const rows = all.filter((entry) => !unused.includes(entry)).map(([name, schema]) => rowOf(name, schema));
  const kept = unused.map(([name]) => `\`${name}\``).join(', ');
  return `
## ${title}
${MORE[title] ?? ''}
| variable | default | meaning |
|---|---|---|
${rows.join('')}${kept === '' ? '' : `\nKept for compatibility, without effect: ${kept}.\n`}`;
}

/** docs/configuration.md. */
export const configurationPage = (): string =>
  `${INTRODUCTION}${Object.entries(VARIABLE_SECTIONS)
    .map(([title, variables]) => sectionOf(title, variables))
    .join('')}`;
