import type { components, VqlFilter } from 'dataset-media-service-sdk';
import { evaluationFilterOf, evaluationFilterText } from '../../media/evaluating/evaluation-filter';
import { sourceFilterOf, sourceFilterText } from '../../media/source-filters';
import { texts } from '../../texts';
import { formatBytes, formatNumber } from '../../texts/format';

type Filters = components['schemas']['SavedView']['filters'];
type Names = Readonly<Record<string, string>>;

const { summary: words } = texts.views;
/** The others are shown in another way. */
const KEYS: Names = words.keys satisfies Record<Exclude<keyof VqlFilter, 'map_area' | 'metadata'>, string>;
const OPS: Names = words.ops;
const VALUES: Names = words.values;
/** Whose values have names of ours; others are texts of people. */
const NAMED: ReadonlySet<string> = new Set(['labels', 'tags', 'issues', 'media_type']);
const DEEPEST = 4;

/** The filters of a view in words; `tagNames` by id. */
export function summaryOf({ entity_type: entity, caption, vql }: Filters, tagNames: Names): readonly string[] {
  const entities: Names = words.entities;
  const parts = [
    ...(caption === null || caption === '' ? [] : [words.caption(caption)]),
    ...vql.map((filter) => describe(filter, tagNames, 0)),
  ];
  return [entities[entity] ?? entity, ...(parts.length === 0 ? [words.everything] : parts)];
}

/** Filters that people wrote themselves may be of any shape. */
function describe(filter: unknown, tagNames: Names, depth: number): string {
  const [[key, inner] = ['', undefined]] = Object.entries((filter ?? {}) as Record<string, unknown>);
  // Its corners say nothing in words.
  if (key === 'map_area') return texts.explore.filters.area;
  const ofEvaluation = evaluationFilterOf(filter ?? {});
  if (ofEvaluation !== undefined) return evaluationFilterText(ofEvaluation, undefined);
  const ofSource = sourceFilterOf(filter ?? {});
  if (ofSource !== undefined) return sourceFilterText(ofSource);
  const name = KEYS[key];
  if (name === undefined || typeof inner !== 'object' || inner === null || depth > DEEPEST)
    return JSON.stringify(filter);
  if (Array.isArray(inner))
    return words.filter(name, inner.map((each) => describe(each, tagNames, depth + 1)).join(', '));
  if (key === 'not') return `${name} ${describe(inner, tagNames, depth + 1)}`;
  const { op, value, with_narrower: narrower = false, ...others } = inner as Readonly<Record<string, unknown>>;
  const sign = OPS[String(op)];
  const isRange = op === 'between' && Array.isArray(value) && value.length === 2;
  if ((sign === undefined && !isRange) || Object.keys(others).length > 0) return JSON.stringify(filter);
  const values = (Array.isArray(value) ? value : [value]).map((each) => {
    const text = valueText(key, each, tagNames);
    return narrower === true && text === each ? texts.explore.filters.anyOf(text) : text;
  });
  return words.filter(name, isRange ? words.range(values[0]!, values[1]!) : `${sign}${values.join(words.or)}`);
}

function valueText(key: string, value: unknown, tagNames: Names): string {
  if (typeof value === 'number') return key === 'file_size' ? formatBytes(value) : formatNumber(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (key === 'tags' && tagNames[text] !== undefined) return tagNames[text];
  return NAMED.has(key) ? (VALUES[text] ?? text) : text;
}

export const usesTags = ({ vql }: Filters): boolean => JSON.stringify(vql).includes('"tags"');
