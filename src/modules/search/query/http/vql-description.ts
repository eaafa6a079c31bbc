import { VQL_FILTERS } from '../domain/vql-filters';

export const VQL_EXAMPLE = [{ labels: { op: 'one_of', value: ['boat'] } }];

/** For the API description, beside the schema of the filters. */
export const VQL_DESCRIPTION = [
  'Filters, all of which must match, each an object with one key: `[{"labels":{"op":"one_of","value":["car"]}}]`.',
  '',
  ...Object.entries(VQL_FILTERS).map(([name, { summary }]) => `- \`${name}\`: ${summary}.`),
  '- `and`, `or`: a list of filters; `not`: one filter.',
].join('\n');
