import { MAX_LIST_LENGTH, MAX_TEXT_LENGTH } from '../domain/query/vql-values';
import { MAX_VQL_DEPTH, MAX_VQL_FILTERS } from '../domain/query/parse-vql';
import { VQL_FILTERS, type VqlFilter, type VqlOp } from '../domain/query/vql-filters';

function argumentsOf({ value, options }: VqlOp): string {
  const optional = Object.entries(options).map(([name, reader]) => `; optional \`${name}\`: ${reader.shape}`);
  return `${value.shape}${optional.join('')}`;
}

function describeFilter([name, { summary, ops }]: readonly [string, VqlFilter]): string {
  const opsByArguments = new Map<string, string[]>();
  for (const [op, takes] of Object.entries(ops).map(([op, taken]) => [op, argumentsOf(taken)] as const))
    opsByArguments.set(takes, [...(opsByArguments.get(takes) ?? []), `\`${op}\``]);
  const lines = Array.from(opsByArguments, ([takes, names]) => `  - op ${names.join(', ')}; value: ${takes}`);
  return [`- \`${name}\`: ${summary}.`, ...lines].join('\n');
}

/** For the API description. */
export const VQL_DESCRIPTION = [
  'JSON list of filters, all of which must hold, each an object with one key: `[{"labels":{"op":"one_of","value":["car"]}}]`.',
  '',
  ...Object.entries(VQL_FILTERS).map(describeFilter),
  '- `and`, `or`: a list of filters; `not`: one filter.',
  '',
  `At most ${MAX_VQL_FILTERS} filters, groups ${MAX_VQL_DEPTH} deep, ${MAX_LIST_LENGTH} values in a list, ${MAX_TEXT_LENGTH} characters in a text.`,
].join('\n');
