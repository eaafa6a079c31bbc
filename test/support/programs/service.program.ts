import '../../../src/common/platform/config/no-telemetry';
import 'reflect-metadata';
import { startService } from '../../../src/start-service';

/** The whole service, with no other environment than its first argument. */
process.env = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  ...(JSON.parse(process.argv[2]!) as Record<string, string>),
};
// Whoever started us reads both.
process.stderr.write = process.stdout.write.bind(process.stdout);

startService(['--no-sample']).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
