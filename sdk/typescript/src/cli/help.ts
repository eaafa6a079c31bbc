import { SDK_VERSION } from '../version.js';
import type { Command } from './command.js';
import { EXIT } from './exit.js';

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
};

const GLOBAL: readonly (readonly [string, string])[] = [
  ['--url URL', 'The service; default: DMS_URL, or the address saved by "dms login".'],
  ['--json', 'Print one JSON document.'],
  ['--help', 'Print this help.'],
];

export const generalHelp = (
  commands: readonly Command[],
): string => `dms ${SDK_VERSION}, the command line of the Dataset Media Service

Usage: dms COMMAND [OPTIONS]

${columns(commands.map(({ name, operands, summary }) => [`${name} ${operands}`.trim(), summary]))}

DATASET is a name or an id. "dms COMMAND --help" explains a command.

${columns(GLOBAL)}

Credentials are those of "dms login", or of the environment: DMS_API_KEY and DMS_API_SECRET.
Exit codes: ${EXIT.ok} success, ${EXIT.failed} failure, ${EXIT.usage} wrong usage, ${EXIT.notAllowed} not signed in or not allowed, ${EXIT.notFound} not found, ${EXIT.conflict} the state does not allow it,
${EXIT.unreachable} the service is away, ${EXIT.partly} some files were refused, ${EXIT.conditionHolds} a condition of --fail-if holds, ${EXIT.interrupted} interrupted.`;

export function commandHelp({ name, operands, summary, details, options }: Command): string {
  const own = Object.entries(options).map(
    ([option, { help, value }]) => [`--${option}${value === undefined ? '' : ` ${value}`}`, help] as const,
  );
  const usage = `Usage: dms ${[name, operands].filter((part) => part !== '').join(' ')} [OPTIONS]`;
  return [`${usage}\n${summary}.`, ...(details === undefined ? [] : [details]), columns([...own, ...GLOBAL])].join(
    '\n\n',
  );
}
