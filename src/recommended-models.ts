import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { childEntry } from './common/platform/config/child-process';

const RECOMMENDED = 'photographs';
const MOST_MS = 60_000;

/** Installs the recommended models by the command of operators, which prints its progress. Throws the reason in a sentence or more. */
export async function installRecommendedModels(): Promise<void> {
  console.log('Installing models that know what photographs show (disable with --no-models) …');
  const timeout = AbortSignal.timeout(MOST_MS);
  const { file, execArgv } = childEntry(join(__dirname, 'commands'), 'models');
  const command = spawn(process.execPath, [...execArgv, file, 'install', RECOMMENDED], {
    stdio: ['ignore', 'inherit', 'pipe'],
    signal: timeout,
  });
  const stop = (): void => void command.kill();
  process.once('exit', stop);
  try {
    const [[code], errors] = await Promise.all([
      once(command, 'close') as Promise<[number | null]>,
      text(command.stderr),
    ]);
    if (code !== 0) throw new Error(errors.trim());
  } catch (error) {
    throw timeout.aborted ? new Error(`This took longer than ${MOST_MS / 1000} seconds.`) : error;
  } finally {
    process.off('exit', stop);
  }
}

/** How to install them later, for the end of a message. */
export const INSTALL_LATER = `\`npm run models -- install ${RECOMMENDED}\` installs them, and --no-models omits them.`;
