import type { VqlFilter } from 'dataset-media-service-sdk';
import type { Outcome } from '../../media/evaluating/evaluation';
import { evaluationFilterOf, toggledOutcome } from '../../media/evaluating/evaluation-filter';
import { toggled, valuesOf, type ListFilter } from '../../media/simple-filters';
import { texts } from '../../texts';
import type { Colouring } from './map-address';
import type { DatasetMap } from './map-queries';
import { NO_VALUE, OTHER } from './tile-format';

const { legend: words } = texts.map;
const { filters: filterWords } = texts.explore;

/** A colour of the map and its meaning. */
export interface LegendEntry {
  /** As tiles have it. */
  readonly colour: number;
  readonly name: string;
  /** Null if not counted. */
  readonly count: number | null;
  /** The filter of the value; null if there is none. */
  readonly filter: LegendFilter | null;
}

type LegendFilter =
  | { readonly key: ListFilter; readonly value: string }
  /** `evaluation` is its id. */
  | { readonly key: 'outcomes'; readonly value: Outcome; readonly evaluation: string };

const FILTERS: Readonly<Partial<Record<Colouring, ListFilter>>> = {
  label: 'labels',
  tag: 'tags',
  issue: 'issues',
  batch: 'batch',
};
const WITHOUT: Readonly<Partial<Record<Colouring, string>>> = { label: 'unlabeled', tag: 'untagged' };

/** Names of clusters: that of the legend, numbered if several have the same. */
function clusterNames(legend: DatasetMap['legend']): readonly string[] {
  const all = new Map<string, number>();
  for (const { name } of legend) if (name !== undefined) all.set(name, (all.get(name) ?? 0) + 1);
  const soFar = new Map<string, number>();
  return legend.map(({ name, value }) => {
    if (name === undefined) return words.cluster(value);
    const number = (soFar.get(name) ?? 0) + 1;
    soFar.set(name, number);
    return all.get(name) === 1 ? name : words.clusterNamed(name, number);
  });
}

function nameOf(colouring: Colouring, value: string): string {
  if (colouring === 'outcome') return texts.evaluate.outcomes[value as Outcome];
  if (colouring === 'batch') return filterWords.batchNamed(value.slice(0, 8));
  const issues: Readonly<Record<string, string>> = filterWords.issueNames;
  return colouring === 'issue' ? (issues[value] ?? value) : value;
}

/** All that a point can have the colour of: the values by size, then the others, then none. `evaluation` is the one that outcomes are of. */
export function legendEntries(
  { color_by: colouring, legend, placed_media: placed }: DatasetMap,
  evaluation?: string,
): readonly LegendEntry[] {
  if (colouring === 'none') return [];
  const key = FILTERS[colouring];
  const filterOf = (value: string): LegendFilter | null => {
    if (evaluation !== undefined) return { key: 'outcomes', value: value as Outcome, evaluation };
    return key === undefined ? null : { key, value };
  };
  const names = colouring === 'cluster' ? clusterNames(legend) : legend.map(({ value }) => nameOf(colouring, value));
  const named = legend.map(({ value, id, media }, colour) => ({
    colour,
    name: names[colour]!,
    count: media,
    filter: filterOf(id ?? value),
  }));
  const rest = placed - legend.reduce((sum, { media }) => sum + media, 0);
  const isShared = colouring !== 'cluster' && colouring !== 'batch';
  const hasOthers = isShared ? legend.length === OTHER : rest > 0;
  const others = { colour: OTHER, name: words.other[colouring], count: isShared ? null : rest, filter: null };
  const without = WITHOUT[colouring];
  const none = {
    colour: NO_VALUE,
    name: words.without[colouring],
    count: null,
    filter: key === undefined || without === undefined ? null : { key, value: without },
  };
  return [...named, ...(hasOthers ? [others] : []), ...(none.name === '' ? [] : [none])];
}

export const isFilteredBy = (filters: readonly VqlFilter[], { filter }: LegendEntry): boolean =>
  filter !== null &&
  (filter.key === 'outcomes'
    ? filters.map(evaluationFilterOf).some((each) => each?.outcomes.includes(filter.value) === true)
    : valuesOf(filters, filter.key).includes(filter.value));

export const filteredBy = (filters: readonly VqlFilter[], filter: LegendFilter) =>
  filter.key === 'outcomes'
    ? toggledOutcome(filters, filter.evaluation, filter.value)
    : toggled(filters, filter.key, filter.value);
