import { NotFoundError, TooManyRequestsError } from '../../../common/platform/errors/domain-error';

export class NotificationNotFoundError extends NotFoundError {
  constructor() {
    super('Notification not found');
  }
}

/** An estimate: streams end when their clients close them. */
const RETRY_AFTER_SECONDS = 30;

export class TooManyStreamsError extends TooManyRequestsError {
  constructor(most: number) {
    super(`You have ${most} notification streams open, which is the limit. Close one first.`, RETRY_AFTER_SECONDS);
  }
}
