import { SetMetadata, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { DEFAULT_BODY_BYTES } from './read-body';
import { readJson } from './read-json';

const MAX_BODY_BYTES = 'max-body-bytes';

/** Raises the limit of 64 KiB for the JSON body of a route. */
export const MaxBodyBytes = (bytes: number): MethodDecorator => SetMetadata(MAX_BODY_BYTES, bytes);

/** Reads the JSON body of routes that declare `@Body`. Interceptors run after guards, so the caller is already authorised. */
export class JsonBodyInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    if (takesBody(context)) {
      const [request, response] = [
        context.switchToHttp().getRequest<Request>(),
        context.switchToHttp().getResponse<Response>(),
      ];
      const maxBytes = this.reflector.get<number | undefined>(MAX_BODY_BYTES, context.getHandler());
      request.body = await readJson(request, response, maxBytes ?? DEFAULT_BODY_BYTES);
    }
    return next.handle();
  }
}

function takesBody(context: ExecutionContext): boolean {
  const parameters: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name);
  return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${RouteParamtypes.BODY}:`));
}
