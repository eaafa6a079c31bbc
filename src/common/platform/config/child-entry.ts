import { extname, join } from 'node:path';

const REGISTER = join(__dirname, '..', '..', '..', '..', 'scripts', 'typescript-register.cjs');

/** The entry file of a child process or thread. When run from the sources it is TypeScript, which a hook compiles. */
export function childEntry(folder: string, name: string): { file: string; execArgv: string[] } {
  const extension = extname(__filename);
  return { file: join(folder, `${name}${extension}`), execArgv: extension === '.ts' ? ['--require', REGISTER] : [] };
}
