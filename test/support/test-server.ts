import type { EmbeddedPostgres } from '../../src/common/platform/database/embedded-postgres';

/** The environment variable through which test processes find the server of the run. */
export const TEST_DATABASE_SERVER = 'TEST_DATABASE_SERVER';

/** The environment variable with a folder that is removed after the run. */
export const TEST_RUN_FOLDER = 'TEST_RUN_FOLDER';

interface RunningServer {
  readonly server: EmbeddedPostgres;
  readonly folder: string;
}

const holder = globalThis as typeof globalThis & { runningServer?: RunningServer };

/** Jest loads setup and teardown separately, so they can only share data in the global object. */
export const sharedServer = {
  set(running: RunningServer): void {
    holder.runningServer = running;
  },
  take(): RunningServer {
    return holder.runningServer!;
  },
};
