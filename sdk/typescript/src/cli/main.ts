#!/usr/bin/env node
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { MediaService } from '../service.js';
import { SDK_VERSION } from '../version.js';
import type { Command, Run } from './command.js';
import { COMMANDS } from './commands.js';
import { EXIT, exitCodeOf, UsageError } from './exit.js';
import { commandHelp, generalHelp } from './help.js';
import { plain, tableText } from './output.js';
import { accessOf } from './profile.js';

const GLOBAL = {
  url: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options'];

interface Parsed {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
}

function parse(command: Command, args: readonly string[]): Parsed {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { type, multiple = false, short }]) => [
      name,
      { type, multiple, ...(short !== undefined && { short }) },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options: { ...options, ...GLOBAL }, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function assertOperands({ operands }: Command, given: readonly string[]): void {
  const names = operands === '' ? [] : operands.split(' ');
  const required = names.filter((name) => !name.startsWith('['));
  if (given.length < required.length) throw new UsageError(`${required[given.length]!} is missing`);
  const isOpen = names.some((name) => name.includes('...'));
  if (given.length > names.length && !isOpen) throw new UsageError(`Unexpected argument "${given[names.length]!}"`);
}

function runOf({ values, positionals }: Parsed, signal: AbortSignal): Run {
  const text = (name: string): string | undefined => values[name] as string | undefined;
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const json = values['json'] === true;
  return {
    positionals,
    json,
    signal,
    url: text('url'),
    text,
    texts: (name) => (values[name] as string[] | undefined) ?? [],
    flag: (name) => values[name] === true,
    number(name, fallback, least, most) {
      const given = text(name);
      if (given === undefined) return fallback;
      const value = Number(given);
      if (given.trim() === '' || !Number.isFinite(value) || value < least || value > most)
        throw new UsageError(`--${name} must be a number from ${least} to ${most}`);
      return value;
    },
    service: async () =>
      new MediaService({
        ...(await accessOf(text('url'))),
        onWarning: (message) => void process.stderr.write(`dms: ${plain(message)}\n`),
      }),
    answer: (value, people) => (json ? print(JSON.stringify(value, null, 2)) : people()),
    print,
    table: (head, rows) => print(tableText(head, rows)),
    note: (line) => void process.stderr.write(`${line}\n`),
  };
}

/** The first Ctrl-C aborts the command, the second one ends the program. */
function interruption(): AbortController {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (interrupted.signal.aborted) process.exit(EXIT.interrupted);
      interrupted.abort();
    });
  return interrupted;
}

async function main([name, ...rest]: readonly string[]): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(`${generalHelp(COMMANDS)}\n`);
    return name === undefined ? EXIT.usage : EXIT.ok;
  }
  if (name === '--version') {
    process.stdout.write(`${SDK_VERSION}\n`);
    return EXIT.ok;
  }
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) throw new UsageError(`Unknown command "${plain(name)}". "dms --help" lists all commands.`);
  const parsed = parse(command, rest);
  if (parsed.values['help'] === true) {
    process.stdout.write(`${commandHelp(command)}\n`);
    return EXIT.ok;
  }
  assertOperands(command, parsed.positionals);
  const interrupted = interruption();
  try {
    const code = await command.run(runOf(parsed, interrupted.signal));
    return interrupted.signal.aborted ? EXIT.interrupted : (code ?? EXIT.ok);
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    process.stderr.write('Interrupted.\n');
    return EXIT.interrupted;
  }
}

// A reader such as head may close the output early.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.failed),
);
main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    const [name] = process.argv.slice(2);
    const hint =
      error instanceof UsageError && COMMANDS.some((each) => each.name === name)
        ? `\n"dms ${name!} --help" explains it.`
        : '';
    process.stderr.write(`dms: ${message.split('\n').map(plain).join('\n')}${hint}\n`);
    process.exitCode = exitCodeOf(error);
  },
);
