import { ForbiddenError, NotFoundError } from '../../../common/platform/errors/domain-error';
import type { Dataset } from './dataset';

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

/** Of the deployment, and of a dataset since it was created. */
export function assertSnapshotsEnabled(enabled: boolean, dataset: Pick<Dataset, 'snapshotsSupported'>): void {
  if (!enabled) throw new SnapshotsDisabledError();
  if (!dataset.snapshotsSupported) throw new SnapshotsUnsupportedError();
}
