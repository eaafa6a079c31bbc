import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { StartError } from './configuration-error';

const OTHERS = 0o077;

/** Files of this process and its children are accessible only to their user, unless a file sets its own mode. */
export const keepFilesPrivate = (): void => {
  process.umask(OTHERS);
};

/** Creates DATA_DIR if needed and makes it accessible only to its user: it contains media, the secret key and the database. */
export function prepareDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const { mode, uid } = statSync(dataDir);
    if ((mode & OTHERS) !== 0 && uid === process.getuid?.()) chmodSync(dataDir, mode & 0o700);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(
      `DATA_DIR=${dataDir} can't be written to (${(error as Error).message}): set DATA_DIR to a folder that the user of this service may write to.`,
      { cause: error },
    );
  }
}
