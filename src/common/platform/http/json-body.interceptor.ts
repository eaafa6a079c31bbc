import { SetMetadata, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { DEFAULT_BODY_BYTES, readBody } from './read-body';
import { DomainError } from '../errors/domain-error';
import { ValidationFailedError } from './zod-validation.pipe';
const [QUOTE, BACKSLASH] = ['"', '\\'].map((character) => character.charCodeAt(0));

const invalid = (msg: string): ValidationFailedError =>
  new ValidationFailedError([{ type: 'json_invalid', loc: ['body'], msg, input: null }]);

/** Objects and arrays need many times the memory of their text. */
const MAX_CONTAINERS = 20_000;

const BODY_LIMITS = 'body-limits';

type BodyLimits = readonly [bytes: number, containers?: number];

/** Raises the limit of 64 KiB for the JSON body of a route, and that of its objects and lists. */
export const MaxBodyBytes = (...limits: BodyLimits): MethodDecorator => SetMetadata(BODY_LIMITS, limits);

/** Reads the JSON body of routes that declare `@Body`. Interceptors run after guards, so the caller is already authorised. */
export class JsonBodyInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    if (takesBody(context)) {
      const [request, response] = [
        context.switchToHttp().getRequest<Request>(),
        context.switchToHttp().getResponse<Response>(),
      ];
      const limits = this.reflector.get<BodyLimits | undefined>(BODY_LIMITS, context.getHandler());
      request.body = await readJson(request, response, ...(limits ?? [DEFAULT_BODY_BYTES]));
    }
    return next.handle();
  }
}

function takesBody(context: ExecutionContext): boolean {
  const parameters: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name);
  return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${RouteParamtypes.BODY}:`));
}

const MAX_DEPTH = 32;

const OPENING = new Set(['{', '['].map((character) => character.charCodeAt(0)));
const CLOSING = new Set(['}', ']'].map((character) => character.charCodeAt(0)));

/** Reads an application/json body; undefined if there is none, or if it has another type. */
export async function readJson(
  request: Request,
  response: Response,
  maxBytes: number,
  most = MAX_CONTAINERS,
): Promise<unknown> {
  if (!request.is('application/json')) return undefined;
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8')
    throw new DomainError(415, `The body is in the charset "${charset}". Send JSON in UTF-8.`);
  const bytes = await readBody(request, response, maxBytes);
  return bytes.length === 0 ? undefined : parseJson(bytes, most);
}

/** `most` limits the number of objects and lists in the body. */
export function parseJson(bytes: Buffer, most = MAX_CONTAINERS): unknown {
  assertShallow(bytes, most);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalid('The body is not valid JSON');
  }
}

/** Checked before parsing. In UTF-8 no byte of a multi-byte character equals one of these. */
function assertShallow(bytes: Buffer, most: number): void {
  let [depth, containers, isText] = [0, 0, false];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (OPENING.has(byte)) {
      if (++depth > MAX_DEPTH) throw invalid(`The body nests deeper than ${MAX_DEPTH} levels`);
      if (++containers > most) throw invalid(`The body holds more than ${most} objects and lists`);
    } else if (CLOSING.has(byte)) depth--;
  }
}
