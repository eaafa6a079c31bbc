import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '..', '..', '..');
export const CHART = join(ROOT, 'helm', 'dataset-media-service');
export const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
export const KUBERNETES = '1.34.2';

const TIMEOUT_MS = 480_000;

const tool = (name: string): string => join(process.env.CHART_TOOLS!, name);

export class ProgramError extends Error {}

/** Runs a program and returns its output; if it fails, throws its output as an error. */
export function run(program: string, args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: ROOT, maxBuffer: 64 * 1024 * 1024, timeout: TIMEOUT_MS };
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new ProgramError(`${program} ${args.join(' ')}: ${stderr}${stdout}`));
    });
    // The program may end before it has read all input.
    child.stdin!.on('error', () => undefined).end(input);
  });
}

export const helm = (args: readonly string[], input?: string): Promise<string> => run(tool('helm'), args, input);

export const kubectl = (args: readonly string[], input?: string): Promise<string> => run(tool('kubectl'), args, input);

export const helmDocs = (args: readonly string[]): Promise<string> =>
  run(join(ROOT, 'test', 'chart', 'make-readme'), args);

/** Rejects objects that are unknown to the Kubernetes API, or that have unknown fields. */
export const kubeconform = (yaml: string): Promise<string> =>
  run(
    tool('kubeconform'),
    [
      ...['-strict', '-summary', '-output', 'json'],
      ...['-schema-location', `${process.env.CHART_SCHEMAS!}/{{ .ResourceKind }}{{ .KindSuffix }}.json`],
    ],
    yaml,
  );
