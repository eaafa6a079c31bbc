import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { StartError } from '../config/configuration-error';

/** The lock that sweeps hold in shared mode and a backup holds exclusively. */
export const STORE_HOLD = 'store-hold';

/** The key space of the locks of sweeps. */
const SPACE = 1;
const TRY_EVERY_MS = 250;

/** While this is held, no sweep deletes objects. Postgres releases it when the connection ends. */
export class StoreHold {
  private lost: Error | undefined;

  private constructor(private readonly client: Client) {
    client.on('error', (error) => (this.lost = error));
    client.on('end', () => (this.lost ??= new Error('the connection ended')));
  }

  /** Waits for running sweeps to end. Uses the connection until it is released. */
  static async take(client: Client, waiting: () => void): Promise<StoreHold> {
    const hold = new StoreHold(client);
    for (let isFirst = true; ; isFirst = false) {
      await client.query('BEGIN');
      // The transaction is idle while the store is copied; at this isolation level it keeps no old row versions.
      await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      const { rows } = await client.query<{ held: boolean }>(
        'SELECT pg_try_advisory_xact_lock(hashtextextended($1, $2)) AS held',
        [STORE_HOLD, SPACE],
      );
      if (rows[0]?.held === true) return hold;
      await client.query('ROLLBACK');
      if (isFirst) waiting();
      await delay(TRY_EVERY_MS);
    }
  }

  /** Throws if the lock was lost, because a sweep may have deleted objects since. */
  async assertHeld(): Promise<void> {
    await this.client.query('SELECT 1').catch((error: unknown) => (this.lost ??= error as Error));
    if (this.lost !== undefined)
      throw new StartError(`The connection to Postgres was lost meanwhile (${this.lost.message}): run it again.`);
  }

  async release(): Promise<void> {
    if (this.lost === undefined) await this.client.query('ROLLBACK').catch(() => undefined);
  }
}
