import { createRequire } from 'node:module';
import { readConfiguration } from './common/platform/config/configuration';
import { keepFilesPrivate } from './common/platform/config/data-folder';
import { StartError } from './common/platform/config/configuration-error';
import { DataFolderLock } from './common/platform/database/data-folder-lock';
import type { StartOptions } from './serve';

/** Loading the program takes most of the startup time, so the configuration is checked first. */
const program = () => createRequire(__filename)('./serve') as typeof import('./serve');

const parseArguments = (given: readonly string[]): StartOptions => {
  const unknown = given.find((argument) => !['--no-sample', '--no-models'].includes(argument));
  if (unknown !== undefined)
    throw new StartError(`Unknown option ${unknown}: the options are --no-sample and --no-models.`);
  return { sample: !given.includes('--no-sample'), models: !given.includes('--no-models') };
};

export async function startService(argv: readonly string[]): Promise<void> {
  const options = parseArguments(argv);
  keepFilesPrivate();
  const configuration = readConfiguration();
  const lock = DataFolderLock.take(configuration.dataDir);
  await program().serve(configuration, options, lock);
}
