import type { EmbeddedPostgres } from '../../src/common/platform/database/embedded-postgres';

/** The environment variable by which the run's server reaches the test processes. */
export const TEST_DATABASE_SERVER = 'TEST_DATABASE_SERVER';

/** And the one by which a folder does that is gone after the run. */
export const TEST_RUN_FOLDER = 'TEST_RUN_FOLDER';

interface RunningServer {
  readonly server: EmbeddedPostgres;
  readonly folder: string;
}

const holder = globalThis as typeof globalThis & { runningServer?: RunningServer };

/** Jest loads setup and teardown separately, so that only the global object reaches from one to the other. */
export const sharedServer = {
  set(running: RunningServer): void {
    holder.runningServer = running;
  },
  take(): RunningServer {
    return holder.runningServer!;
  },
};
