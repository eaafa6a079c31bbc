import type { Answer } from './api-client';
import type { TestApp } from './test-app';
import { waitUntil } from './wait-until';

/** Sends requests while the dataset is locked, so that each waits in order when it is unlocked. */
export async function atOnce(
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
