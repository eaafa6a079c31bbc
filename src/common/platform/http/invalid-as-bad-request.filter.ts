import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { ValidationFailedError } from './validation-item';

/** For interfaces whose validation errors are 400 by the specification; the items are the same. */
@Catch(ValidationFailedError)
export class InvalidAsBadRequestFilter implements ExceptionFilter {
  catch(error: ValidationFailedError, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(400).json({ detail: error.items });
  }
}
