import { extname, join } from 'node:path';
import type { WorkerOptions } from 'node:worker_threads';

/** A thread's file beside this one; under the test runner it is TypeScript, and a hook compiles it. */
export function threadEntry(name: string): { file: string; options: WorkerOptions } {
  const extension = extname(__filename);
  const register = join(__dirname, '..', '..', '..', 'test', 'support', 'typescript-register.cjs');
  const execArgv = extension === '.ts' ? ['--require', register] : [];
  return { file: join(__dirname, `${name}${extension}`), options: { execArgv } };
}
