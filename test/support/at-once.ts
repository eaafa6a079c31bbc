import type { Answer } from './api-client';
import type { TestApp } from './test-app';
import { waitUntil } from './wait-until';

/**
 * Sends requests while the dataset is locked, so that they wait in order and proceed when it is unlocked. The jobs that they start only run after all
 * responses, so that none ends before the next request checks.
 */
export async function atOnce(
  running: TestApp,
  datasetId: string,
  requests: readonly (() => Promise<Answer>)[],
): Promise<Answer[]> {
  return withHeldJobs(running, () => whileLocked(running, datasetId, requests));
}

/** Jobs that are started during the work, those of one type or all, run afterwards. */
export async function withHeldJobs<T>(
  { database: { dataSource } }: TestApp,
  work: () => Promise<T>,
  type?: string,
): Promise<T> {
  await dataSource.query(holdNewJobs(type === undefined ? 'true' : `NEW.type = '${type}'`));
  try {
    return await work();
  } finally {
    await dataSource.query(RELEASE_NEW_JOBS);
  }
}

const holdNewJobs = (condition: string): string => `
  CREATE FUNCTION hold_job() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.start_after = ''infinity''; RETURN NEW; END';
  CREATE TRIGGER hold_job BEFORE INSERT ON job_run FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION hold_job()`;
const RELEASE_NEW_JOBS = `
  DROP FUNCTION hold_job CASCADE;
  UPDATE job_run SET start_after = now() WHERE start_after = 'infinity'`;

async function whileLocked(
  { database }: TestApp,
  datasetId: string,
  requests: readonly (() => Promise<Answer>)[],
): Promise<Answer[]> {
  const waiting = async (): Promise<number> =>
    (
      await database.dataSource.query<unknown[]>(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND query LIKE 'SELECT%"dataset"%'`,
      )
    ).length;
  const holder = database.dataSource.createQueryRunner();
  await holder.connect();
  await holder.startTransaction();
  await holder.query('SELECT 1 FROM dataset WHERE id = $1 FOR UPDATE', [datasetId]);
  const answers: Promise<Answer>[] = [];
  for (const request of requests) {
    answers.push(request());
    await waitUntil(async () => (await waiting()) >= answers.length);
  }
  await holder.commitTransaction();
  await holder.release();
  return Promise.all(answers);
}
