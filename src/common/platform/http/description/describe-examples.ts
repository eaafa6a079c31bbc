import { isDeepStrictEqual } from 'node:util';
import type { OpenAPIObject } from '@nestjs/swagger';

const COMPOSITIONS = ['oneOf', 'anyOf', 'allOf'] as const;

interface Schema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
}

interface Media {
  readonly schema: Schema;
  example?: unknown;
}

interface Part {
  readonly content?: Readonly<Record<string, Partial<Media>>>;
}

interface Operation {
  readonly parameters?: readonly (Part & Partial<Media>)[];
  readonly requestBody?: Part;
  readonly responses: Readonly<Record<string, Part>>;
}

type Schemas = Readonly<Record<string, Schema>>;

const PREFIX = '#/components/schemas/';

/**
 * Moves the examples of schemas to the parameters, requests and responses that use them. The example of an object may omit properties that have their
 * own examples.
 */
export function describeExamples(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Schemas;
  const described = mediaOf(document);
  for (const media of described) {
    const example = exampleOf(media.schema, schemas);
    if (example !== undefined) media.example = example;
  }
  for (const schema of [...Object.values(schemas), ...described.map(({ schema }) => schema)]) removeExamples(schema);
}

/** Everything in the document that has a schema. */
function mediaOf({ paths }: OpenAPIObject): Media[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item) as Operation[]);
  const media = operations.flatMap(({ parameters = [], requestBody, responses }) =>
    [...parameters, requestBody, ...Object.values(responses)].flatMap((part) => [
      part,
      ...Object.values(part?.content ?? {}),
    ]),
  );
  return media.filter((each): each is Media => each !== undefined && 'schema' in each);
}

/** Undefined if a required part has no example. */
function exampleOf(schema: Schema, schemas: Schemas): unknown {
  if (schema.$ref !== undefined) return exampleOf(schemas[schema.$ref.slice(PREFIX.length)]!, schemas);
  const { example: own } = schema;
  if (schema.properties !== undefined) return exampleOfObject(schema, own, schemas);
  if (own !== undefined) return own;
  if (schema.enum?.length === 1) return schema.enum[0];
  if (schema.type === 'null') return null;
  if (schema.type === 'array') {
    const item = exampleOf(schema.items ?? {}, schemas);
    return item === undefined ? undefined : [item];
  }
  return (schema.anyOf ?? schema.oneOf)?.map((each) => exampleOf(each, schemas)).find((each) => each !== undefined);
}

function exampleOfObject({ properties = {}, required = [] }: Schema, own: unknown, schemas: Schemas): unknown {
  const given = (own ?? {}) as Readonly<Record<string, unknown>>;
  const composed = Object.entries(properties).flatMap(([name, schema]) => {
    if (name in given) return [[name, given[name]]];
    const example = required.includes(name) ? exampleOf(schema, schemas) : undefined;
    return example === undefined ? [] : [[name, example]];
  });
  const example = Object.fromEntries(composed) as Record<string, unknown>;
  const isWhole = required.every((name) => name in example) && Object.keys(example).length > 0;
  return isWhole ? example : undefined;
}

/** The remaining examples are often incomplete. */
function removeExamples(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if ('example' in value) delete value.example;
  for (const inner of Object.values(value)) removeExamples(inner);
}

/** Merges equal alternatives, and replaces a composition of a single schema by that schema. */
export function simplifySchemas<T>(value: T): T {
  if (Array.isArray(value)) return value.map((each: unknown) => simplifySchemas(each)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const simplified = Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [name, simplifySchemas(inner)]),
  );
  return COMPOSITIONS.reduce(withoutRepetitions, simplified) as T;
}

function withoutRepetitions(
  schema: Readonly<Record<string, unknown>>,
  name: (typeof COMPOSITIONS)[number],
): Readonly<Record<string, unknown>> {
  const { [name]: members, ...rest } = schema;
  if (!Array.isArray(members)) return schema;
  const distinct = members.filter(
    (member, index) => members.findIndex((other) => isDeepStrictEqual(other, member)) === index,
  ) as Record<string, unknown>[];
  const [only, ...others] = distinct;
  if (only === undefined || others.length > 0) return { ...schema, [name]: distinct };
  return Object.keys(only).some((key) => key in rest) ? { ...schema, [name]: distinct } : { ...only, ...rest };
}
