import { useQuery } from '@tanstack/react-query';
import { service } from '../../api/client';

/** Of the description of the API, as far as it is read here. */
interface Schema {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}

export interface VqlOp {
  readonly name: string;
  readonly keys: readonly string[];
  /** Where only some values are allowed. */
  readonly values: readonly string[];
  /** Of the value, to begin with. */
  readonly example: string;
}

export interface VqlFilterSchema {
  readonly name: string;
  readonly description: string;
  /** None for `and`, `or` and `not`, which have filters in them. */
  readonly ops: readonly VqlOp[];
}

const variantsOf = (schema: Schema): readonly Schema[] => schema.oneOf ?? schema.anyOf ?? [schema];

const valuesOf = (schema: Schema): readonly string[] => [
  ...new Set(variantsOf(schema).flatMap((each) => each.enum ?? each.items?.enum ?? [])),
];

function exampleOf(schema: Schema): string {
  const variants = variantsOf(schema);
  const list = variants.find(({ type }) => type === 'array');
  if (list !== undefined) return `[${exampleOf(list.items ?? {})}]`;
  const [first] = variants;
  return first?.type === 'string' ? '""' : String(first?.minimum ?? 0);
}

export function filtersIn(schema: Schema): readonly VqlFilterSchema[] {
  return Object.entries(schema.properties ?? {}).map(([name, filter]) => {
    const ops = variantsOf(filter).flatMap(({ properties: keys }) => {
      const [op] = keys?.['op']?.enum ?? [];
      if (keys === undefined || op === undefined) return [];
      const value = keys['value'] ?? {};
      return [{ name: op, keys: Object.keys(keys), values: valuesOf(value), example: exampleOf(value) }];
    });
    return { name, description: filter.description ?? '', ops };
  });
}

/** The filters that this service knows, from its own description. */
export const useVqlSchema = () =>
  useQuery({
    queryKey: ['vql'],
    queryFn: async () => {
      const response = await service.connection.request('/api/v1/openapi.json');
      const { components } = (await response.json()) as {
        readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
      };
      return filtersIn(components.schemas['VqlFilter'] ?? {});
    },
    staleTime: Infinity,
  });
