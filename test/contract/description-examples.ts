import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Media {
  readonly schema?: { readonly type?: unknown };
  readonly example?: unknown;
}

export interface Parameter extends Media {
  readonly in: 'path' | 'query';
  readonly name: string;
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, Media>>;
}

type Content = Readonly<Record<string, Media>>;

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** An operation of openapi.json, with its location. */
export interface Described {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export const DESCRIPTION = JSON.parse(readFileSync(join(__dirname, '..', '..', 'openapi.json'), 'utf8')) as Description;

export const OPERATIONS: readonly Described[] = Object.entries(DESCRIPTION.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ id: operation.operationId, method, path, operation })),
);

/** An example, with the JSON pointer to its schema. */
export interface Example {
  readonly at: string;
  readonly schema: string;
  readonly value: unknown;
}

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** The examples of all parts that should have one; the value is undefined if the example is missing. */
export function examplesOf({ method, path, operation }: Described): Example[] {
  const base = `/paths/${escaped(path)}/${method}`;
  const inContent = (at: string, pointer: string, content: Content = {}): Example[] =>
    Object.entries(content)
      .filter(([type, media]) => isShown(type, media))
      .map(([type, { example }]) => ({
        at: `${at} ${type}`,
        schema: `${pointer}/content/${escaped(type)}/schema`,
        value: example,
      }));
  const ofParameters = (operation.parameters ?? []).flatMap((parameter, index) => {
    const pointer = `${base}/parameters/${index}`;
    if (parameter.content !== undefined) return inContent(parameter.name, pointer, parameter.content);
    if (parameter.required !== true) return [];
    return [{ at: parameter.name, schema: `${pointer}/schema`, value: parameter.example }];
  });
  const ofResponses = Object.entries(operation.responses)
    .filter(([status]) => Number(status) < 300)
    .flatMap(([status, { content }]) => inContent(status, `${base}/responses/${status}`, content));
  return [...ofParameters, ...inContent('body', `${base}/requestBody`, operation.requestBody?.content), ...ofResponses];
}

/** Files and streams have no example. */
function isShown(type: string, { schema, example }: Media): boolean {
  if (example !== undefined) return true;
  if (!['application/json', 'multipart/form-data', 'application/x-www-form-urlencoded'].includes(type)) return false;
  return !JSON.stringify(schema).includes('"binary"');
}
