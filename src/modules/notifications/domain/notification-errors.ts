import { NotFoundError, TooManyRequestsError } from '../../../common/platform/errors/domain-error';

export class NotificationNotFoundError extends NotFoundError {
  constructor() {
    super('Notification not found');
  }
}

/** When a stream ends is for its reader to say: a guess of when to try again. */
const RETRY_AFTER_SECONDS = 30;

export class TooManyStreamsError extends TooManyRequestsError {
  constructor(most: number) {
    super(
      `You have ${most} notification streams open, which is as many as there may be: close one`,
      RETRY_AFTER_SECONDS,
    );
  }
}
