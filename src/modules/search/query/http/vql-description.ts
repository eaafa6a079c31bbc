import { z } from 'zod';
import { VQL_FILTERS } from '../domain/vql-filters';
import { MAX_VQL_DEPTH, MAX_VQL_FILTERS } from '../domain/parse-vql';

const optional = Object.fromEntries(Object.entries(VQL_FILTERS).map(([name, { schema }]) => [name, schema.optional()]));

const filters = z.lazy(() => z.array(vqlFilter).min(1)).optional();

/** One filter, for the API description. The parser uses the same table, and also limits the number and depth of filters. */
const vqlFilter: z.ZodType = z
  .strictObject({
    ...optional,
    and: filters,
    or: filters,
    not: z.lazy(() => vqlFilter).optional(),
  })
  .refine((filter) => Object.keys(filter).length === 1)
  .meta({
    id: 'VqlFilter',
    minProperties: 1,
    maxProperties: 1,
    description: `Exactly one filter, or a group of filters; groups nest at most ${MAX_VQL_DEPTH} deep.`,
  });

/** All must match. */
export const vqlFilters = z
  .array(vqlFilter)
  .max(MAX_VQL_FILTERS)
  .meta({ description: `At most ${MAX_VQL_FILTERS} filters, groups counted, all of which must match.` });

export const VQL_EXAMPLE = [{ labels: { op: 'one_of', value: ['boat'] } }];

/** For the API description, beside the schema of the filters. */
export const VQL_DESCRIPTION = [
  'Filters, all of which must match, each an object with one key: `[{"labels":{"op":"one_of","value":["car"]}}]`.',
  '',
  ...Object.entries(VQL_FILTERS).map(([name, { summary }]) => `- \`${name}\`: ${summary}.`),
  '- `and`, `or`: a list of filters; `not`: one filter.',
].join('\n');
