import '../common/platform/config/no-telemetry';
import 'reflect-metadata';
import { readConfiguration } from '../common/platform/config/configuration';
import { runCommand, UsageError } from '../maintenance/command';
import type { Finding } from '../maintenance/verify/contents';
import { verifyInstallation } from '../maintenance/verify/verify-installation';

const USAGE = `Usage: npm run verify -- [--quick] [--json]
  Names every object of the store that is missing, damaged or unreferenced. --quick reads the tables, but not the contents of files;
  --json prints a line of JSON for each, and one with the counts.
  Ends with 0 if nothing is missing or damaged, with 1 if something is, and with 2 if that could not be found out.`;

runCommand(
  USAGE,
  { quick: { type: 'boolean' }, json: { type: 'boolean' } },
  async ({ quick, json }, positionals, print) => {
    if (positionals.length > 0) throw new UsageError(USAGE);
    const show = ({ kind, object, reason }: Finding): void => print(`${kind.padEnd(12)}  ${object}  (${reason})`);
    const verified = await verifyInstallation({
      configuration: readConfiguration(),
      quick: quick !== undefined,
      found: json === undefined ? show : (finding) => print(JSON.stringify(finding)),
      waiting: () => console.error('Waiting for sweeps or a backup to end …'),
    });
    const { objects, bytes, tables, missing, damaged, unreferenced } = verified;
    print(
      json === undefined
        ? `${objects} objects (${bytes} bytes) and ${tables} versions of tables: ${missing} missing, ${damaged} damaged, ${unreferenced} unreferenced.`
        : JSON.stringify(verified),
    );
    return missing + damaged > 0 ? 1 : 0;
  },
);
