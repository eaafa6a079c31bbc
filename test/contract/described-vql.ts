/** Operations that take VQL, sorted by name. */
export const TAKE_VQL = [
  'GET /api/v1/dataset/{dataset_id}/duplicates',
  'GET /api/v1/dataset/{dataset_id}/duplicates/overview',
  'GET /api/v1/dataset/{dataset_id}/facets',
  'GET /api/v1/dataset/{dataset_id}/map',
  'GET /api/v1/dataset/{dataset_id}/map/tiles/{z}/{x}/{y}',
  'GET /api/v1/explore/{dataset_id}',
  'GET /api/v1/explore/{dataset_id}/clusters/{cluster_id}',
  // In a search, and in the clusters of a selection.
  'POST /api/v1/dataset/{dataset_id}/copy',
  'POST /api/v1/dataset/{dataset_id}/copy',
  'POST /api/v1/dataset/{dataset_id}/duplicates/decisions/by_rule',
  'POST /api/v1/dataset/{dataset_id}/evaluations',
  'POST /api/v1/dataset/{dataset_id}/export_entities_async',
  'POST /api/v1/dataset/{dataset_id}/remove_media',
  'POST /api/v1/dataset/{dataset_id}/remove_media',
  'POST /api/v1/dataset/{dataset_id}/review_queues',
  'POST /api/v1/dataset/{dataset_id}/tags/{tag_id}/assign',
  'POST /api/v1/dataset/{dataset_id}/tags/{tag_id}/unassign',
  'POST /api/v1/dataset/{dataset_id}/views',
];

interface Parameter {
  readonly name: string;
  readonly content?: Readonly<Record<string, { readonly schema: unknown }>>;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: unknown;
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<
      Record<string, { readonly properties?: Readonly<Record<string, { oneOf?: unknown[] }>> }>
    >;
  };
}

/** For each operation, the schemas of the parameters and body fields that take VQL. */
export function describedVql({ paths }: Description): readonly (readonly [string, unknown])[] {
  return Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) => {
      const asked = parameters.filter(({ name }) => name === 'vql');
      const schemas = [...asked.map(({ content }) => content?.['application/json']?.schema), ...fieldsIn(requestBody)];
      return schemas.map((schema) => [`${method.toUpperCase()} ${route}`, schema] as const);
    }),
  );
}

function fieldsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    name === 'vql' ? [inner] : fieldsIn(inner),
  );
}
