import { ConflictError } from '../../../common/platform/errors/domain-error';

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
