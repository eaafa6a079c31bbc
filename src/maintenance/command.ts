import { parseArgs, type ParseArgsConfig } from 'node:util';
import { StartError } from '../common/platform/config/configuration-error';

/** The exit code of a command that failed; findings have other codes. */
const FAILED = 2;

export class UsageError extends StartError {}

type Options = NonNullable<ParseArgsConfig['options']>;
type Values = Readonly<Record<string, string | undefined>>;

/** Runs a command with the arguments of the process. The exit code is the result of the command. */
export function runCommand(
  usage: string,
  options: Options,
  work: (values: Values, positionals: readonly string[], print: (line: string) => void) => Promise<number>,
): void {
  const parsed = (): ReturnType<typeof parse> => {
    try {
      return parse(options);
    } catch (error) {
      throw new UsageError(`${(error as Error).message}\n${usage}`);
    }
  };
  const run = async (): Promise<number> => {
    const { values, positionals } = parsed();
    const flags = Object.entries(values).map(([name, value]) => [name, String(value)]);
    return work(Object.fromEntries(flags) as Values, positionals, (line) => console.log(line));
  };
  run().then(
    (code) => (process.exitCode = code),
    (error: unknown) => {
      console.error(error instanceof StartError ? error.message : error);
      process.exitCode = FAILED;
    },
  );
}

const parse = (options: Options) => parseArgs({ args: process.argv.slice(2), allowPositionals: true, options });
