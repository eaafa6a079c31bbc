import { isDeepStrictEqual } from 'node:util';
import { SchemaChanges, type Direction, type Schema, type Schemas } from './schema-changes';

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
type Security = readonly Readonly<Record<string, readonly string[]>>[];

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly content?: Content;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Content;
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
  readonly security?: Security;
}

export interface Description {
  readonly info: { readonly version: string };
  readonly security?: Security;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Schemas;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}

/** The changes that break a client of the API described by `before`, without duplicates. */
export function breakingChanges(before: Description, after: Description): string[] {
  const comparison = new Comparison(before, after);
  const ofOperations = Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const at = `${method.toUpperCase()} ${path}`;
      const later = after.paths[path]?.[method];
      return later === undefined ? [`${at}: is gone`] : comparison.operation(operation, later, at);
    }),
  );
  return [...new Set([...ofOperations, ...credentialChanges(before, after)])];
}

function credentialChanges(before: Description, after: Description): string[] {
  const { securitySchemes: later } = after.components;
  const withoutTexts = (scheme: Readonly<Record<string, unknown>> = {}) => ({ ...scheme, description: undefined });
  return Object.entries(before.components.securitySchemes)
    .filter(([name, scheme]) => !isDeepStrictEqual(withoutTexts(scheme), withoutTexts(later[name])))
    .map(([name]) => `credentials ${name}: changed or gone`);
}

class Comparison {
  private readonly schemas: SchemaChanges;

  constructor(
    private readonly before: Description,
    private readonly after: Description,
  ) {
    this.schemas = new SchemaChanges(before.components.schemas, after.components.schemas);
  }

  operation(before: Operation, after: Operation, at: string): readonly string[] {
    const isRenamed = before.operationId !== after.operationId;
    return [
      ...(isRenamed ? [`${at}: the operation ${before.operationId} is now ${after.operationId}`] : []),
      ...this.securityChanges(before, after, at),
      ...this.parameterChanges(before.parameters ?? [], after.parameters ?? [], at),
      ...this.bodyChanges(before, after, at),
      ...this.responseChanges(before, after, at),
    ];
  }

  private securityChanges(before: Operation, after: Operation, at: string): readonly string[] {
    const earlier = before.security ?? this.before.security ?? [];
    const later = after.security ?? this.after.security ?? [];
    if (later.length === 0) return [];
    if (earlier.length === 0) return [`${at}: needs credentials now`];
    return earlier
      .filter((each) => !later.some((other) => isDeepStrictEqual(each, other)))
      .map((each) => `${at}: no longer accepts ${Object.keys(each).join(' and ') || 'requests without credentials'}`);
  }

  private parameterChanges(before: readonly Parameter[], after: readonly Parameter[], at: string): readonly string[] {
    const find = (all: readonly Parameter[], { in: place, name }: Parameter): Parameter | undefined =>
      all.find((each) => each.in === place && each.name === name);
    const gone = before.filter((each) => find(after, each) === undefined).map((each) => `${at}?${each.name}: is gone`);
    const changed = after.flatMap((parameter) => {
      const place = `${at}?${parameter.name}`;
      const earlier = find(before, parameter);
      const isNewlyRequired = parameter.required === true && earlier?.required !== true;
      return [
        ...(isNewlyRequired ? [`${place}: is now required`] : []),
        ...(earlier === undefined
          ? []
          : this.contentChanges(contentOf(earlier), contentOf(parameter), 'request', place)),
      ];
    });
    return [...gone, ...changed];
  }

  private bodyChanges({ requestBody: before }: Operation, { requestBody: after }: Operation, at: string) {
    const place = `${at} body`;
    const isNewlyRequired = after?.required === true && before?.required !== true;
    return [
      ...(isNewlyRequired ? [`${place}: is now required`] : []),
      ...(before === undefined ? [] : this.contentChanges(before.content, after?.content ?? {}, 'request', place)),
    ];
  }

  /** Statuses of success must remain. Errors may change, but not their format. */
  private responseChanges({ responses: before }: Operation, { responses: after }: Operation, at: string) {
    return Object.entries(before).flatMap(([status, response]) => {
      const place = `${at} ${status}`;
      const later = after[status];
      if (later === undefined) return Number(status) < 400 ? [`${place}: is gone`] : [];
      const [contentBefore, contentAfter] = [
        resolved(response, this.before).content ?? {},
        resolved(later, this.after).content ?? {},
      ];
      return this.contentChanges(contentBefore, contentAfter, 'response', place);
    });
  }

  private contentChanges(before: Content, after: Content, direction: Direction, at: string): readonly string[] {
    return Object.entries(before).flatMap(([type, { schema = {} }]) => {
      const later = after[type];
      if (later === undefined) return [`${at}: is no longer ${type || 'plain text'}`];
      return this.schemas.find({ before: schema, after: later.schema ?? {}, direction, at });
    });
  }
}

const contentOf = ({ content, schema = {} }: Parameter): Content => content ?? { '': { schema } };

const resolved = (response: Response, { components }: Description): Response =>
  response.$ref === undefined ? response : components.responses[response.$ref.slice('#/components/responses/'.length)]!;

/** Before 1.0.0 a new minor version announces breaking changes, later a new major version does. */
export function announcesBreaking(before: string, after: string): boolean {
  const [earlier, later] = [before, after].map((version) => version.split('.').map(Number) as [number, number, number]);
  if (earlier![0] !== later![0]) return later![0] > earlier![0];
  return earlier![0] === 0 && later![1] > earlier![1];
}
