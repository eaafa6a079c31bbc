import { SetMetadata, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { DEFAULT_BODY_BYTES } from './read-body';
import { readJson } from './read-json';

const MAX_BODY_BYTES = 'max-body-bytes';

/** For a route whose JSON body may be larger than the usual 64 KiB. */
export const MaxBodyBytes = (bytes: number): MethodDecorator => SetMetadata(MAX_BODY_BYTES, bytes);

/** Reads the JSON body of routes that take one (`@Body`). Interceptors run after the guards: the caller is known by then, and let in. */
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
