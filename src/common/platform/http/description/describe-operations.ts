import type { OpenAPIObject } from '@nestjs/swagger';
import { isPipelinePath } from '../pipeline-path';
import { ERROR_RESPONSES, ERROR_SCHEMAS, errorResponse, type ErrorStyle } from './described-errors';
import type { DeclaredRoute } from './routes';
import { securityOf } from './security';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const SUCCESSES: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted; the work continues after the response.',
  204: 'Success; the response has no body.',
};

/** Adds to each operation what follows from its declarations: its errors, and the credentials that it takes. */
export function describeOperations(document: OpenAPIObject, routes: ReadonlyMap<string, DeclaredRoute>): void {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item) as [string, Operation][]) {
      const route = routes.get(operation.operationId!);
      if (route === undefined) throw new Error(`The route of ${operation.operationId!} is not known`);
      describe(path, operation, { ...route, changesState: route.changesState || method !== 'get' });
    }
  }
  const { schemas, ...components } = document.components ?? {};
  document.components = {
    ...components,
    schemas: sorted({ ...schemas, ...ERROR_SCHEMAS }),
    responses: sorted(usedResponses(document)),
  };
}

function describe(path: string, operation: Operation, route: DeclaredRoute): void {
  for (const [status, response] of Object.entries(operation.responses))
    if ('description' in response! && response.description === '')
      response.description = SUCCESSES[status] ?? 'Success.';
  const style = styleOf(path, route);
  for (const status of statusesOf(operation, route, style))
    operation.responses[String(status)] ??= errorResponse(status, style);
  const security = securityOf(path, route);
  if (security !== undefined) operation.security = security;
}

const styleOf = (path: string, { answersInvalidWith400 }: DeclaredRoute): ErrorStyle =>
  isPipelinePath(path) ? 'pipeline' : answersInvalidWith400 ? 'invalidIs400' : 'usual';

function statusesOf({ parameters = [], requestBody }: Operation, route: DeclaredRoute, style: ErrorStyle): number[] {
  const statuses = new Set<number>([500, 503, ...route.mayFail]);
  const add = (...more: readonly number[]): void => more.forEach((status) => statuses.add(status));
  if (route.access?.kind !== 'public') add(401, 403);
  if (route.changesState || route.isSelfHostedOnly) add(403);
  if (route.changesState && route.access?.kind === 'dataset' && route.access.right !== 'read') add(409);
  if (route.access?.kind === 'dataset' || parameters.some((each) => 'in' in each && each.in === 'path')) add(404);
  if (parameters.length > 0 || requestBody !== undefined) add(style === 'usual' ? 422 : 400);
  if (requestBody !== undefined) add(400, 408, 413, 415);
  // The address has a limit too.
  if (style !== 'pipeline' && parameters.some((each) => 'in' in each && each.in === 'query')) add(413);
  if (route.isLimited) add(429);
  return [...statuses].sort((a, b) => a - b);
}

function usedResponses(document: OpenAPIObject): Record<string, (typeof ERROR_RESPONSES)[string]> {
  const text = JSON.stringify(document.paths);
  return Object.fromEntries(
    Object.entries(ERROR_RESPONSES).filter(([name]) => text.includes(`"#/components/responses/${name}"`)),
  );
}

const sorted = <T>(values: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
