import type { DatasetStatus } from '../../datasets';

/** Statuses in which a dataset is at rest: it can be taken back to a snapshot, and its snapshots can be cloned. */
export const RESTORABLE: readonly DatasetStatus[] = ['READY', 'PARTIAL INDEX', 'ERROR'];
