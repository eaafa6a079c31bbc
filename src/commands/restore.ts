import '../common/platform/config/no-telemetry';
import 'reflect-metadata';
import { SCHEMA } from '../app.module';
import { readConfiguration } from '../common/platform/config/configuration';
import { restoreBackup } from '../maintenance/backup/restore-backup';
import { runCommand, UsageError } from '../maintenance/command';

const USAGE = `Usage: npm run restore -- FOLDER|s3://BUCKET/PREFIX [--backup ID]
  Writes the latest backup there, or the one named, into the empty database and the empty store of this configuration.`;

runCommand(USAGE, { backup: { type: 'string' } }, async ({ backup }, [place, ...rest], print) => {
  if (place === undefined || rest.length > 0) throw new UsageError(USAGE);
  const { id, rows } = await restoreBackup({
    configuration: readConfiguration(),
    schema: SCHEMA,
    place,
    backup,
    print,
  });
  print(
    `The backup ${id} is restored: ${rows} rows. Start the service, and check a dataset or two with npm run verify.`,
  );
  return 0;
});
