import '../../../src/common/platform/config/no-telemetry';
import 'reflect-metadata';
import { startService } from '../../../src/start-service';

/** The whole service, with its first argument as the only environment. */
process.env = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  ...(JSON.parse(process.argv[2]!) as Record<string, string>),
};
// The test reads both.
process.stderr.write = process.stdout.write.bind(process.stdout);

startService(['--no-sample']).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
