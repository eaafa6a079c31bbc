import {
  BadRequestError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
} from '../../../common/platform/errors/domain-error';

export class ViewNotFoundError extends NotFoundError {
  constructor() {
    super('View not found');
  }
}

export class ViewNameTakenError extends ConflictError {
  constructor(name: string) {
    super(`A view named '${name}' already exists in this dataset`);
  }
}

export class MonitoringNotEnabledError extends BadRequestError {
  constructor() {
    super('Monitoring is not enabled for this view');
  }
}

export class ForeignViewError extends ForbiddenError {
  constructor() {
    super('Only the creator of a view and users who may change the dataset can do this');
  }
}

export class ViewNotReadableError extends ConflictError {
  constructor(reason: string) {
    super(`This view can't be evaluated: ${reason}`);
  }
}

export class TooManyOwnViewsError extends ConflictError {
  constructor(most: number) {
    super(`You have ${most} saved views in this dataset, which is the limit for one user. Delete one first.`);
  }
}

export class TooManyViewsError extends ConflictError {
  constructor(most: number) {
    super(`This dataset has ${most} saved views, which is the limit. Delete one first.`);
  }
}
