import { randomUUID } from 'node:crypto';
import type { Principal } from '../../../common/platform/http/principal';
import type { Dataset } from '../../datasets';

interface Words {
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
}

/** The new dataset that gets some of the media of another; empty until the job has published its table. */
export const copiedDataset = (
  source: Dataset,
  { displayName = `${source.displayName} (copy)`, description = source.description }: Words,
  owner: Principal,
): Dataset => ({
  ...source,
  id: randomUUID(),
  ownerId: owner.userId,
  displayName,
  description,
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
