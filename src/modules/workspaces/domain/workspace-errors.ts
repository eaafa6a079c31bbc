import { NotFoundError } from '../../../common/platform/errors/domain-error';

export class WorkspaceNotFoundError extends NotFoundError {
  constructor() {
    super('Workspace not found');
  }
}

export class OrganizationNotFoundError extends NotFoundError {
  constructor() {
    super('Organization not found');
  }
}

export class MemberNotFoundError extends NotFoundError {
  constructor() {
    super('Member not found');
  }
}
