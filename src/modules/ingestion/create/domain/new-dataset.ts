import { randomUUID } from 'node:crypto';
import type { Principal } from '../../../../common/platform/http/principal';
import type { Dataset, SourceType } from '../../../datasets';

interface Beginning {
  readonly name: string;
  readonly sourceType: SourceType;
  readonly sourceUri: string | null;
  readonly snapshotsSupported: boolean;
}

export const newDataset = (
  owner: Principal,
  { name, sourceType, sourceUri, snapshotsSupported }: Beginning,
): Dataset => ({
  id: randomUUID(),
  workspaceId: owner.workspaceId,
  ownerId: owner.userId,
  displayName: name,
  description: '',
  sourceType,
  sourceUri,
  createdAt: new Date(),
  status: 'DRAFT',
  progress: 0,
  counts: { images: 0, videos: 0, objects: 0, frames: 0 },
  fatalErrorMessage: null,
  sourceDatasetId: null,
  thumbnailKey: null,
  pointer: null,
  snapshotsSupported,
  currentSnapshotId: null,
});
