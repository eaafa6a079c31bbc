import './common/config/no-telemetry';
import 'reflect-metadata';
import { DataFolderInUseError } from './common/database/data-folder-lock';
import { ConfigurationError } from './common/config/configuration-error';
import { startService } from './start-service';

const EXPECTED = [ConfigurationError, DataFolderInUseError];

startService(process.argv.slice(2)).catch((error: unknown) => {
  const expected = EXPECTED.some((kind) => error instanceof kind);
  console.error(expected ? (error as Error).message : error);
  process.exit(1);
});
