import { ConflictError, ForbiddenError, NotFoundError } from '../../../common/platform/errors/domain-error';
import type { Dataset } from '../../datasets';

export class SnapshotNotFoundError extends NotFoundError {
  constructor() {
    super('Snapshot not found');
  }
}

export class SnapshotsDisabledError extends ForbiddenError {
  constructor() {
    super('Snapshot feature is not enabled');
  }
}

export class SnapshotsUnsupportedError extends ForbiddenError {
  constructor() {
    super('Snapshot feature is not enabled for this dataset');
  }
}

export class CurrentSnapshotError extends ConflictError {
  constructor() {
    super('The current snapshot cannot be deleted');
  }
}

export class SnapshotBeingRestoredError extends ConflictError {
  constructor() {
    super('A snapshot that is being restored cannot be deleted');
  }
}

/** Snapshots must be enabled in the installation, and in the dataset since its creation. */
export function assertSnapshotsEnabled(enabled: boolean, dataset: Pick<Dataset, 'snapshotsSupported'>): void {
  if (!enabled) throw new SnapshotsDisabledError();
  if (!dataset.snapshotsSupported) throw new SnapshotsUnsupportedError();
}
