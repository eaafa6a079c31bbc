import { z } from 'zod';
import { DATASET_STATUSES } from '../../datasets';

/** Parameters of a SNAPSHOT_CLONE task: the snapshot of the new dataset. */
export const cloning = z.object({ snapshotId: z.string() });
export type Cloning = z.infer<typeof cloning>;

/** Parameters of a SNAPSHOT_RESTORE task, with the status to return to if it fails. */
export const restoration = cloning.extend({ previousStatus: z.enum(DATASET_STATUSES) });
export type Restoration = z.infer<typeof restoration>;
