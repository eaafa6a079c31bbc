import type { DatasetStatus } from '../../datasets';

/** Statuses in which a dataset can be restored to a snapshot, and its snapshots can be cloned. */
export const RESTORABLE: readonly DatasetStatus[] = ['READY', 'PARTIAL INDEX', 'ERROR'];
