import type { Client } from 'pg';
import type { Configuration } from '../../common/platform/config/configuration';
import { unsupportedVersion } from '../../common/platform/database/data-source';
import { connectClient, hasDatabase, reachDatabase } from '../../common/platform/database/reach-database';
import { readServer } from '../persistence/references';
import { broken, check, ok, warning, type CheckResult, type Verdict } from './check';

const NOTICED_MS = 5_000;
/** If clocks differ by more than a few minutes, tokens and signed requests are refused. */
const REFUSED_MS = 60_000;

/** The maximum number of connections per process. */
const POOL_SIZE = 15;

export async function checkDatabase(configuration: Configuration): Promise<CheckResult[]> {
  if (!hasDatabase(configuration))
    return [{ part: 'database', state: 'ok', says: `None yet: the first start makes one in ${configuration.dataDir}` }];
  const results: CheckResult[] = [];
  const part = async (name: string, work: () => Promise<Verdict>): Promise<void> => {
    results.push(await check(name, work));
  };
  await part('database', async () => {
    const database = await reachDatabase(configuration);
    try {
      const client = await connectClient(database.url, 'dataset-media-service doctor');
      try {
        await part('connections', () => connections(client));
        await part('clock of database', () => clock(client));
        return await version(client);
      } finally {
        await client.end().catch(() => undefined);
      }
    } finally {
      await database.close();
    }
  });
  return results.reverse();
}

async function version(client: Client): Promise<Verdict> {
  const { version, mayCreate, isStandby } = await readServer(client);
  const refusal = unsupportedVersion(version, 'DATABASE_URL');
  if (refusal !== undefined) return broken(refusal);
  if (isStandby) return broken('Postgres is a standby: DATABASE_URL must name the primary server.');
  if (!mayCreate) return broken('The user of DATABASE_URL must be allowed to CREATE in the schema public.');
  return ok(`Postgres ${Math.floor(version / 10_000)}; no extensions are needed`);
}

async function connections(client: Client): Promise<Verdict> {
  const { maxConnections, used } = await readServer(client);
  const says = `${used} of ${maxConnections} connections are used`;
  return maxConnections - used < POOL_SIZE
    ? warning(`${says}, and each process takes up to ${POOL_SIZE}: raise max_connections, or use a pooler.`)
    : ok(says);
}

async function clock(client: Client): Promise<Verdict> {
  const before = Date.now();
  const { nowMs } = await readServer(client);
  return clockVerdict('the database', (before + Date.now()) / 2 - nowMs);
}

/** Checks how far the clock of this machine is ahead of the other one. */
export function clockVerdict(of: string, aheadMs: number): Verdict {
  const seconds = Math.round(Math.abs(aheadMs) / 100) / 10;
  const says = `The clock of this machine is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} that of ${of}`;
  if (Math.abs(aheadMs) > REFUSED_MS) return broken(`${says}: synchronise both by NTP.`);
  return Math.abs(aheadMs) > NOTICED_MS ? warning(`${says}: synchronise both by NTP.`) : ok(says);
}
