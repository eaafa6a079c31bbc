import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DamagedDataError } from '../storage/damaged-data';
import { DomainError, ServiceBusyError, TooManyRequestsError } from './domain-error';
import { isPipelinePath, pipelineError } from './pipeline-path';
import { ValidationFailedError } from './validation-item';

interface Answer {
  readonly status: number;
  readonly detail: unknown;
  readonly reason?: string | undefined;
}

/** Every error leaves as `{detail}`, or as the pipeline interface says it; what is not foreseen leaves as a plain 500 and a logged cause. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const request = host.switchToHttp().getRequest<Request>();
    const { status, ...body } = this.answer(error, request);
    if (status >= 500 && !(error instanceof DomainError))
      this.logger.error({ err: error, method: request.method, path: request.path }, 'Request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error instanceof TooManyRequestsError || error instanceof ServiceBusyError)
      response.setHeader('Retry-After', error.retryAfterSeconds);
    if (isPipelinePath(request.path)) {
      const said = pipelineError(status, body.detail, body.reason);
      response.status(said.status).json(said.body);
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
    // Nothing that the caller can change, but somebody must be told what to restore.
    if (error instanceof DamagedDataError) return { status: 500, detail: error.message };
    return { status: 500, detail: 'Internal server error' };
  }
}
