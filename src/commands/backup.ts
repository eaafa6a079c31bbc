import '../common/platform/config/no-telemetry';
import 'reflect-metadata';
import { readConfiguration } from '../common/platform/config/configuration';
import { runCommand, UsageError } from '../maintenance/command';
import { makeBackup } from '../maintenance/backup/make-backup';

const USAGE = `Usage: npm run backup -- FOLDER|s3://BUCKET/PREFIX [--keep N]
  Copies the database and the store, as they are now, while the service runs. --keep N removes all but the latest N backups there.`;

const SHOWN = 20;

runCommand(USAGE, { keep: { type: 'string' } }, async ({ keep }, [place, ...rest], print) => {
  if (place === undefined || rest.length > 0) throw new UsageError(USAGE);
  if (keep !== undefined && !/^[1-9]\d{0,5}$/.test(keep)) throw new UsageError('--keep must be a positive number.');
  const options = { configuration: readConfiguration(), place, keep: keep === undefined ? undefined : Number(keep) };
  const made = await makeBackup({ ...options, print });
  print(
    `The backup ${made.id} is complete: ${made.copied} objects (${made.copiedBytes} bytes) copied and read back, ${made.kept} were there already.`,
  );
  for (const id of made.removed) print(`The backup ${id} was removed.`);
  print(
    'Keep SECRET_KEY (or secret.key in DATA_DIR) elsewhere: it is not in the backup, and nothing can be restored without it.',
  );
  if (made.missing.length === 0) return 0;
  print(`The store lacks ${made.missing.length} objects that the database refers to, so the backup does, too:`);
  for (const each of made.missing.slice(0, SHOWN)) print(`  ${each}`);
  if (made.missing.length > SHOWN) print('  … npm run verify names them all');
  return 1;
});
