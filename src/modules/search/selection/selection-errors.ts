import { BadRequestError, NotFoundError } from '../../../common/platform/errors/domain-error';

export class EmptySelectionError extends BadRequestError {
  constructor() {
    super('The selection names no media and no cluster');
  }
}

export class SelectedMediaNotFoundError extends NotFoundError {
  constructor(id: string) {
    super(`Media ${id} not found`);
  }
}

export class SelectedClusterNotFoundError extends NotFoundError {
  constructor(id: string) {
    super(`Cluster ${id} not found`);
  }
}
