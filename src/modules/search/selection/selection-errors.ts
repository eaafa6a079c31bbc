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

export class TooManySimilaritiesError extends BadRequestError {
  constructor(similarities: number, most: number) {
    super(
      `The selection names groups of near duplicates at ${similarities} similarities: name those of at most ${most}`,
    );
  }
}
