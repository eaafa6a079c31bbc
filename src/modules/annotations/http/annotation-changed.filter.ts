import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { AnnotationChangedError } from '../domain/source-errors';
import { presentConflicts } from './source.presenter';

/** Sends the annotations that are stored instead of those that the caller has seen. */
@Catch(AnnotationChangedError)
export class AnnotationChangedFilter implements ExceptionFilter {
  catch(error: AnnotationChangedError, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(error.status).json(presentConflicts(error));
  }
}
