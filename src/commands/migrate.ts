import '../common/platform/config/no-telemetry';
import 'reflect-metadata';
import { StartError } from '../common/platform/config/configuration-error';
import { migrateDatabase } from '../maintenance/database-migration';

migrateDatabase()
  .then(() => {
    console.log('The database has the schema of this version.');
  })
  .catch((error: unknown) => {
    console.error(error instanceof StartError ? error.message : error);
    process.exitCode = 1;
  });
