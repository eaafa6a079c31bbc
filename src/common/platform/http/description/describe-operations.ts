import type { OpenAPIObject } from '@nestjs/swagger';
import { isPipelinePath } from '../pipeline-path';
import { type DeclaredRoute, securityOf } from './routes';

type Components = NonNullable<OpenAPIObject['components']>;
type Schema = NonNullable<Components['schemas']>[string];
type Response = NonNullable<Components['responses']>[string];

const text: Schema = { type: 'string' };

const ERROR_SCHEMAS: Readonly<Record<string, Schema>> = {
  Error: {
    type: 'object',
    required: ['detail'],
    additionalProperties: false,
    properties: {
      detail: { type: 'string', description: 'What happened, and what to do next.' },
      reason: { type: 'string', description: 'More about the cause, where the wording of `detail` is fixed.' },
    },
  },
  ValidationError: {
    type: 'object',
    required: ['detail'],
    additionalProperties: false,
    properties: { detail: { type: 'array', items: { $ref: '#/components/schemas/ValidationItem' } } },
  },
  ValidationItem: {
    type: 'object',
    required: ['type', 'loc', 'msg', 'input'],
    additionalProperties: false,
    properties: {
      type: text,
      loc: {
        type: 'array',
        items: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
        description: 'Where the value is: `path`, `query` or `body`, then names and positions.',
      },
      msg: text,
      input: { description: 'The value, or null where it is long or secret.' },
    },
  },
  PipelineError: {
    type: 'object',
    required: ['status', 'message'],
    additionalProperties: false,
    properties: { status: { type: 'string', enum: ['error'] }, message: text, reason: text },
  },
};

const ERROR = '#/components/schemas/Error';
const INVALID = '#/components/schemas/ValidationError';
const PIPELINE = '#/components/schemas/PipelineError';

const retryAfter: Response = {
  description: '',
  headers: { 'Retry-After': { description: 'After how many seconds to try again.', schema: { type: 'integer' } } },
};

/** By status: the name of the response, and when it is sent. */
const ERRORS: Readonly<Record<number, readonly [string, string]>> = {
  400: ['BadRequest', 'The request cannot be carried out as it is.'],
  401: ['Unauthenticated', 'The request has no valid credentials.'],
  403: ['Forbidden', 'The caller may not do this.'],
  404: ['NotFound', 'There is no such object, or the caller has no access to it.'],
  408: ['BodyTooSlow', 'The body did not arrive in time.'],
  409: ['Conflict', 'The state of the object does not allow this now.'],
  413: ['TooLarge', 'The body, or the address with the headers, is larger than is allowed here.'],
  415: ['UnsupportedEncoding', 'The body has a type or an encoding that is not accepted.'],
  416: ['RangeNotSatisfiable', 'The range is outside of the file.'],
  422: ['Invalid', 'A parameter or a field of the body is not valid.'],
  429: ['TooManyRequests', 'The caller has sent too many requests of this kind.'],
  500: ['InternalError', 'Something failed in the service.'],
  503: ['Unavailable', 'Something that the service needs is away, or it is busy. Try again later.'],
};

const json = (...schemas: readonly string[]) => {
  const refs = schemas.map(($ref) => ({ $ref }));
  return { 'application/json': { schema: refs.length === 1 ? refs[0]! : { oneOf: refs } } };
};

/** Some interfaces answer invalid values with 400, so `BadRequest` may have items too. */
const schemasOf = (status: number): readonly string[] => (status === 422 ? [INVALID, ERROR] : [ERROR]);

const ERROR_RESPONSES: Readonly<Record<string, Response>> = Object.fromEntries([
  ...Object.entries(ERRORS).flatMap(([status, [name, description]]) => {
    const headers = status === '429' || status === '503' ? retryAfter : {};
    return [
      [name, { ...headers, description, content: json(...schemasOf(Number(status))) }],
      [`Pipeline${name}`, { ...headers, description, content: json(PIPELINE) }],
    ];
  }),
  ['InvalidBadRequest', { description: ERRORS[400]![1], content: json(INVALID, ERROR) }],
]) as Record<string, Response>;

type ErrorStyle = 'usual' | 'invalidIs400' | 'pipeline';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const SUCCESSES: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted; the work continues after the response.',
  204: 'Success; the response has no body.',
};

/** Adds to each operation what follows from its declarations: its errors, and the credentials that it accepts. */
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
  // The length of the URL is limited too.
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

/** A reference to an error response. The pipeline interface has its own, and some interfaces answer invalid values with 400. */
function errorResponse(status: number, style: ErrorStyle): { readonly $ref: string } {
  const known = ERRORS[status];
  if (known === undefined) throw new Error(`No error with status ${status} is described`);
  const [name] = known;
  if (style === 'pipeline') return { $ref: `#/components/responses/Pipeline${name}` };
  const named = style === 'invalidIs400' && status === 400 ? 'InvalidBadRequest' : name;
  return { $ref: `#/components/responses/${named}` };
}
