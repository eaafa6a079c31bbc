import { z } from 'zod';
import { DATASET_STATUSES } from '../../datasets';

/** What a SNAPSHOT_CLONE task was asked to do: the new dataset has a snapshot of its own. */
export const cloning = z.object({ snapshotId: z.string() });
export type Cloning = z.infer<typeof cloning>;

/** What a SNAPSHOT_RESTORE task was asked to do; its dataset returns to the status when it fails. */
export const restoration = cloning.extend({ previousStatus: z.enum(DATASET_STATUSES) });
export type Restoration = z.infer<typeof restoration>;
