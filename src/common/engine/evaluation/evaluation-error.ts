import { UnrecoverableError } from '../../platform/outage/outage';

/** What two sources say cannot be compared as asked. */
export class EvaluationError extends UnrecoverableError {
  override readonly status = 409;
}
