import { NotFoundError } from '../../../common/http/domain-error';

export class NotificationNotFoundError extends NotFoundError {
  constructor() {
    super('Notification not found');
  }
}
