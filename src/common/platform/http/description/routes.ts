import type { OpenAPIObject } from '@nestjs/swagger';
import type { INestApplication, Type } from '@nestjs/common';
import { EXCEPTION_FILTERS_METADATA, METHOD_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { isPipelinePath } from '../pipeline-path';
import { ACCESS, CHANGES_STATE, SELF_HOSTED_ONLY, type AccessRule } from '../access';
import { InvalidAsBadRequestFilter } from '../error.filter';
import { RATE_LIMITED, rateLimitOf, type RateLimitName } from '../rate-limited';
import { MAY_FAIL } from './may-fail';

/** The declarations of a route. */
export interface DeclaredRoute {
  readonly access: AccessRule | undefined;
  readonly isLimited: boolean;
  readonly isSelfHostedOnly: boolean;
  readonly changesState: boolean;
  readonly takesBody: boolean;
  readonly answersInvalidWith400: boolean;
  readonly mayFail: readonly number[];
}

type SecuritySchemes = NonNullable<NonNullable<OpenAPIObject['components']>['securitySchemes']>;
type Security = NonNullable<OpenAPIObject['security']>;

export const SECURITY_SCHEMES: SecuritySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A JWT signed by HS256 with the secret of an API key: `kid` in the header and `sub` are the name of the key, `iss` is `sdk`, `iat` and `exp` ' +
      'are required.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'SESSION',
    description: 'The session of a browser, after signing in at `/api/v1/oidc/login`.',
  },
  pipelineToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Pipeline-Token',
    description: 'The value of `PIPELINE_TOKEN`, if it is set.',
  },
  pipelineBearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The value of `PIPELINE_TOKEN`, if it is set.',
  },
};

export const USUAL_SECURITY: Security = [{ apiKey: [] }, { session: [] }];

/** Undefined for routes that accept the usual credentials. */
export function securityOf(path: string, { access }: DeclaredRoute): Security | undefined {
  if (isPipelinePath(path)) return [{ pipelineToken: [] }, { pipelineBearer: [] }, {}];
  if (access?.kind === 'session') return [{ session: [] }];
  return access?.kind === 'public' ? [] : undefined;
}

/** For example `datasetList` for `DatasetController` and `list`. */
export function operationIdOf(controller: string, method: string): string {
  const subject = controller.slice(0, controller.lastIndexOf('Controller'));
  return `${subject[0]!.toLowerCase()}${subject.slice(1)}${method[0]!.toUpperCase()}${method.slice(1)}`;
}

export function declaredRoutes(app: INestApplication): ReadonlyMap<string, DeclaredRoute> {
  const routes = new Map<string, DeclaredRoute>();
  const scanner = new MetadataScanner();
  for (const { controllers } of app.get(ModulesContainer).values()) {
    for (const { metatype } of controllers.values()) {
      if (typeof metatype !== 'function') continue;
      const controller = metatype as Type;
      for (const name of scanner.getAllMethodNames(controller.prototype as object)) {
        const handler = (controller.prototype as Record<string, object>)[name]!;
        if (!Reflect.hasMetadata(METHOD_METADATA, handler)) continue;
        const id = operationIdOf(controller.name, name);
        if (routes.has(id)) throw new Error(`Two routes have the operation id ${id}`);
        routes.set(id, declaredRoute(controller, handler, name));
      }
    }
  }
  return routes;
}

function declaredRoute(controller: Type, handler: object, name: string): DeclaredRoute {
  const declared = (key: string): unknown => Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller);
  const all = (key: string): unknown[] =>
    [handler, controller].flatMap((from) => (Reflect.getMetadata(key, from) as unknown[] | undefined) ?? []);
  const taken = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Readonly<Record<string, unknown>>;
  const access = declared(ACCESS) as AccessRule | undefined;
  return {
    access,
    isLimited: rateLimitOf(access, declared(RATE_LIMITED) as RateLimitName | null | undefined) !== undefined,
    isSelfHostedOnly: declared(SELF_HOSTED_ONLY) === true,
    changesState: declared(CHANGES_STATE) === true,
    takesBody: Object.keys(taken).some((key) => key.startsWith(`${RouteParamtypes.BODY}:`)),
    answersInvalidWith400: all(EXCEPTION_FILTERS_METADATA).includes(InvalidAsBadRequestFilter),
    mayFail: all(MAY_FAIL) as number[],
  };
}
