import type { TransactionRunner } from '../../../common/platform/database/transaction-runner';

const EACH = 100;

/** Some keys of the store that this database references, of each kind, latest first. */
export async function prefixesInStore(transactions: TransactionRunner): Promise<string[]> {
  const rows = await transactions.run((manager) =>
    manager.query<{ prefix: string }[]>(`
    (SELECT 'tables/' || id || '.lance/' AS prefix FROM generation ORDER BY created_at DESC LIMIT ${EACH})
    UNION ALL
    (SELECT store_key FROM upload_file ORDER BY created_at DESC LIMIT ${EACH})
    UNION ALL
    (SELECT 'work/' || id || '/' FROM task ORDER BY start_time DESC LIMIT ${EACH})`),
  );
  return rows.map(({ prefix }) => prefix);
}
