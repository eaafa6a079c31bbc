import { extname, join } from 'node:path';

const REGISTER = join(__dirname, '..', '..', '..', '..', 'scripts', 'typescript-register.cjs');

/** The file that a child process or thread begins with; run from the sources it is TypeScript, and a hook compiles it. */
export function childEntry(folder: string, name: string): { file: string; execArgv: string[] } {
  const extension = extname(__filename);
  return { file: join(folder, `${name}${extension}`), execArgv: extension === '.ts' ? ['--require', REGISTER] : [] };
}
