import './common/platform/config/no-telemetry';
import 'reflect-metadata';
import { StartError } from './common/platform/config/configuration-error';
import { startService } from './start-service';

startService(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
});
