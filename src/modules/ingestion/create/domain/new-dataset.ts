import { randomUUID } from 'node:crypto';
import type { Principal } from '../../../../common/platform/http/principal';
import type { Dataset, SourceType } from '../../../datasets';
import { BadRequestError, DomainError } from '../../../../common/platform/errors/domain-error';

export class MissingFieldError extends BadRequestError {
  constructor(name: string) {
    super(`Field required: ${name}`);
  }
}

/** The location can be read, so the 500 of the specification does not apply. */
export class NoMediaAtPathError extends BadRequestError {
  constructor(path: string, notes: readonly string[]) {
    super([`${path} contains no supported image or video`, ...notes].join('; '));
  }
}

/** The specification requires 500 for a bucket path that can't be read. */
export class SourceUnreadableError extends DomainError {
  constructor(path: string, reason: string) {
    super(500, `Nothing can be read at ${path}: ${reason}`);
  }
}

interface Beginning {
  readonly name: string;
  readonly sourceType: SourceType;
  readonly sourceUri: string | null;
  readonly snapshotsSupported: boolean;
  readonly labelsFromFolders: boolean;
}

export const newDataset = (
  owner: Principal,
  { name, sourceType, sourceUri, snapshotsSupported, labelsFromFolders }: Beginning,
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
  labelsFromFolders,
  currentSnapshotId: null,
});
