import type { components } from 'dataset-media-service-sdk';
import { texts } from '../../texts';
import { fieldOf, isFieldFilter, type ListFilter } from '../simple-filters';

type Facets = components['schemas']['Facets'];

export interface Option {
  readonly value: string;
  readonly name: string;
  /** Null if not counted. */
  readonly count: number | null;
  /** The values of the options that it is listed under, from the widest to the nearest. */
  readonly above: readonly string[];
  readonly hasNarrower: boolean;
}

export interface Options {
  readonly options: readonly Option[];
  /** More than there are options, if the service has cut the list. */
  readonly total: number;
}

const { filters: words } = texts.explore;

export const option = (value: string, name: string, count: number | null): Option => ({
  value,
  name,
  count,
  above: [],
  hasNarrower: false,
});

export const whole = (options: readonly Option[]): Options => ({ options, total: options.length });

/** The values of a facet, and the special value for having none. */
export function optionsOf(key: ListFilter, facets: Facets): Options {
  if (isFieldFilter(key)) {
    const field = facets.custom_metadata.find(({ field_name: name }) => name === fieldOf(key));
    const options = (field?.values ?? []).map(({ value, count }) => option(value, value, count));
    return { options, total: field?.values_total ?? 0 };
  }
  switch (key) {
    case 'labels': {
      const options = [...labelTree(facets), option('unlabeled', words.unlabeled, facets.unlabeled)];
      return { options, total: options.length + facets.labels_total - facets.labels.length };
    }
    case 'tags':
      return whole([
        ...facets.tags.map(({ id, name, count }) => option(id, name, count)),
        option('untagged', words.untagged, facets.untagged),
      ]);
    case 'issues':
      return whole(facets.issues.map(({ issue, count }) => option(issue, words.issueNames[issue], count)));
    case 'folders':
      return {
        options: facets.folders.map(({ value, count }) =>
          option(value === '' ? '/' : value, value === '' || value === '/' ? words.root : value, count),
        ),
        total: facets.folders_total,
      };
    case 'batch':
      // They have no counts: a batch is chosen in the details of a medium.
      return whole([]);
    case 'media_type':
      return whole(facets.media_types.map(({ value, count }) => option(value, words.typeNames[value], count)));
  }
}

export const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

interface Counted {
  readonly value: string;
  readonly count: number | null;
  /** From the nearest to the widest. */
  readonly parents: readonly string[];
}

/** Labels with those below them, each before its narrower ones, the most frequent first. */
export function labelTree({ labels, broader_labels: broader }: Pick<Facets, 'labels' | 'broader_labels'>): Option[] {
  const wide = new Map<string, Counted>(broader.map((label) => [folded(label.value), label]));
  // The service leaves out those that were not searched for, and cuts long lists.
  for (const { parents } of [...labels, ...broader])
    for (const [at, value] of parents.entries())
      if (!wide.has(folded(value))) wide.set(folded(value), { value, count: null, parents: parents.slice(at + 1) });
  const leaves = labels.filter(({ value }) => !wide.has(folded(value)));
  const below = new Map<string, Counted[]>();
  for (const label of [...wide.values(), ...leaves]) {
    const parent = folded(label.parents[0] ?? '');
    below.set(parent, below.get(parent) ?? []);
    below.get(parent)!.push(label);
  }
  const under = (parent: string, above: readonly string[]): Option[] =>
    (below.get(folded(parent)) ?? []).sort(byCount).flatMap(({ value, count }) => {
      const narrower = under(value, [...above, value]);
      return [{ ...option(value, value, count), above, hasNarrower: narrower.length > 0 }, ...narrower];
    });
  return under('', []);
}

const byCount = (a: Counted, b: Counted): number => (b.count ?? 0) - (a.count ?? 0) || (a.value < b.value ? -1 : 1);
