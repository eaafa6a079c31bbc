import type { components } from 'dataset-media-service-sdk';
import { texts } from '../../texts';

type Filters = components['schemas']['SavedView']['filters'];
type Names = Readonly<Record<string, string>>;

const { summary: words } = texts.views;
const KEYS: Names = words.keys;
const OPS: Names = words.ops;
const VALUES: Names = words.values;
const DEEPEST = 4;

/** What a view looks for, each part in words; `tagNames` by id. */
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
  const name = KEYS[key];
  if (name === undefined || typeof inner !== 'object' || inner === null || depth > DEEPEST)
    return JSON.stringify(filter);
  if (Array.isArray(inner))
    return words.filter(name, inner.map((each) => describe(each, tagNames, depth + 1)).join(', '));
  if (key === 'not') return `${name} ${describe(inner, tagNames, depth + 1)}`;
  const { op, value, ...others } = inner as { readonly op?: unknown; readonly value?: unknown };
  const sign = OPS[String(op)];
  if (sign === undefined || Object.keys(others).length > 0) return JSON.stringify(filter);
  const values = (Array.isArray(value) ? value : [value]).map((each) => {
    const text = typeof each === 'string' ? each : JSON.stringify(each);
    return (key === 'tags' ? tagNames[text] : undefined) ?? (key === 'folders' ? undefined : VALUES[text]) ?? text;
  });
  return words.filter(name, sign + values.join(words.or));
}

export const usesTags = ({ vql }: Filters): boolean => JSON.stringify(vql).includes('"tags"');
