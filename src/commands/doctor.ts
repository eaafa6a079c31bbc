import '../common/platform/config/no-telemetry';
import 'reflect-metadata';
import { runCommand, UsageError } from '../maintenance/command';
import { examine } from '../maintenance/doctor/examine';

const USAGE = `Usage: npm run doctor -- [--json]
  Checks the configuration and everything that it names, and says what to mend.
  Ends with 0 if the service can run, and with 1 if something must be mended first.`;

runCommand(USAGE, { json: { type: 'boolean' } }, async ({ json }, positionals, print) => {
  if (positionals.length > 0) throw new UsageError(USAGE);
  const results = await examine();
  for (const result of results) {
    const { part, state, says } = result;
    print(json === undefined ? `${state.padEnd(8)}${part.padEnd(20)}${says}` : JSON.stringify(result));
  }
  return results.some(({ state }) => state === 'broken') ? 1 : 0;
});
