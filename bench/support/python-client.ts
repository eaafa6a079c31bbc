import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** In bytes. The default is too small for a hundred thousand file names. */
const MOST_PRINTED = 2 ** 28;
const run = promisify(execFile);
const sdk = join(process.cwd(), 'sdk', 'python');

/** Runs a program with the Python SDK of this repository and the libraries of its checks, and returns the JSON that it prints. */
export async function inPython<T>(program: string, args: readonly string[]): Promise<T> {
  const venv = (await run(join(sdk, 'venv'))).stdout.trim();
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PYTHONPATH: join(sdk, 'src') };
  const { stdout } = await run(join(venv, 'bin', 'python'), ['-c', program, ...args], { env, maxBuffer: MOST_PRINTED });
  return JSON.parse(stdout) as T;
}
