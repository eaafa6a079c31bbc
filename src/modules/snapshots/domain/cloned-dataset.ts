import { randomUUID } from 'node:crypto';
import type { Principal } from '../../../common/platform/http/principal';
import type { Dataset } from '../../datasets';

/** The new dataset of a clone; empty until the job has published the snapshot. */
export const clonedDataset = (source: Dataset, owner: Principal): Dataset => ({
  ...source,
  id: randomUUID(),
  ownerId: owner.userId,
  displayName: `${source.displayName} (cloned)`,
  createdAt: new Date(),
  status: 'DRAFT',
  progress: 0,
  counts: { images: 0, videos: 0, objects: 0, frames: 0 },
  fatalErrorMessage: null,
  sourceDatasetId: source.id,
  thumbnailKey: null,
  pointer: null,
  currentSnapshotId: null,
});
