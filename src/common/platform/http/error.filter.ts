import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CallerGoneError } from '../concurrency/caller-gone';
import { DomainError, ServiceBusyError, TooManyRequestsError } from '../errors/domain-error';
import { UnrecoverableError, outageOf } from '../outage/outage';
import { isPipelinePath, pipelineError } from './pipeline-path';
import { ValidationFailedError } from './zod-validation.pipe';

/** For interfaces whose validation errors have status 400 by the specification; the items are the same. */
@Catch(ValidationFailedError)
export class InvalidAsBadRequestFilter implements ExceptionFilter {
  catch(error: ValidationFailedError, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(400).json({ detail: error.items });
  }
}

const RETRY_AFTER_OUTAGE_SECONDS = 5;

interface Answer {
  readonly status: number;
  readonly detail: unknown;
  readonly reason?: string | undefined;
}

/** Sends every error as `{detail}`, or in the format of the pipeline interface. Unexpected errors are logged and sent as a plain 500. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const request = host.switchToHttp().getRequest<Request>();
    const { status, ...body } = this.answer(error, request);
    const outage = outageOf(error);
    // Outages are logged separately, when they begin and when they end.
    if (status >= 500 && !(error instanceof DomainError) && outage === undefined)
      this.logger.error({ err: error, method: request.method, path: request.path }, 'Request failed');
    // The access log line of the request has the reason of the failure.
    if (status >= 500 && error instanceof DomainError) Object.assign(response, { err: error });
    if (response.headersSent || error instanceof CallerGoneError) {
      response.destroy();
      return;
    }
    if (error instanceof TooManyRequestsError || error instanceof ServiceBusyError)
      response.setHeader('Retry-After', error.retryAfterSeconds);
    else if (outage !== undefined) response.setHeader('Retry-After', RETRY_AFTER_OUTAGE_SECONDS);
    if (isPipelinePath(request.path)) {
      const answer = pipelineError(status, body.detail, body.reason);
      response.status(answer.status).json(answer.body);
      return;
    }
    response.status(status).json(body);
  }

  private answer(error: unknown, request: Request): Answer {
    if (error instanceof DomainError) return { status: error.status, detail: error.detail, reason: error.reason };
    if (error instanceof ValidationFailedError) return { status: 422, detail: error.items };
    if (error instanceof HttpException) {
      const status = error.getStatus();
      if (status === 404) return { status, detail: `No such route: ${request.method} ${request.path}` };
      return { status, detail: error.message };
    }
    const outage = outageOf(error);
    if (outage !== undefined) return { status: 503, detail: outage.detail };
    // The caller needs to know what to restore.
    if (error instanceof UnrecoverableError && error.status !== undefined)
      return { status: error.status, detail: error.message };
    return { status: 500, detail: 'Internal server error' };
  }
}
