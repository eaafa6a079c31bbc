import { randomUUID } from 'node:crypto';
import type { Principal } from '../../../common/platform/http/principal';
import type { Dataset } from './dataset';

/** A new dataset that is made from another; empty until a job has published its table. */
export const derivedDataset = (
  source: Dataset,
  words: Pick<Dataset, 'displayName' | 'description'>,
  owner: Principal,
): Dataset => ({
  ...source,
  ...words,
  id: randomUUID(),
  ownerId: owner.userId,
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
