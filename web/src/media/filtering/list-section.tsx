import { useState } from 'react';
import type { components } from 'dataset-media-service-sdk';
import { Icon } from '../../design/icon';
import { useRested } from '../../design/use-rested';
import { texts } from '../../texts';
import { formatCount, formatNumber } from '../../texts/format';
import type { ExploreNavigation } from '../explore-address';
import { useFacetSearch, useTagNames } from '../facets';
import { excludedOf, fieldOf, isFieldFilter, toggled, valuesOf, type ListFilter } from '../simple-filters';
import styles from './filtering.module.css';

type Facets = components['schemas']['Facets'];

interface Option {
  readonly value: string;
  readonly name: string;
  /** Null if not counted. */
  readonly count: number | null;
}

interface Options {
  readonly options: readonly Option[];
  /** More than there are options, if the service has cut the list. */
  readonly total: number;
}

const { filters: words } = texts.explore;
const FEW = 8;

const whole = (options: readonly Option[]): Options => ({ options, total: options.length });

/** The values of a facet, and the special value for having none. */
function optionsOf(key: ListFilter, facets: Facets): Options {
  if (isFieldFilter(key)) {
    const field = facets.custom_metadata.find(({ field_name: name }) => name === fieldOf(key));
    const options = (field?.values ?? []).map(({ value, count }) => ({ value, name: value, count }));
    return { options, total: field?.values_total ?? 0 };
  }
  switch (key) {
    case 'labels':
      return {
        options: [
          ...facets.labels.map(({ value, count }) => ({ value, name: value, count })),
          { value: 'unlabeled', name: words.unlabeled, count: facets.unlabeled },
        ],
        total: facets.labels_total + 1,
      };
    case 'tags':
      return whole([
        ...facets.tags.map(({ id, name, count }) => ({ value: id, name, count })),
        { value: 'untagged', name: words.untagged, count: facets.untagged },
      ]);
    case 'issues':
      return whole(facets.issues.map(({ issue, count }) => ({ value: issue, name: words.issueNames[issue], count })));
    case 'folders':
      return {
        options: facets.folders.map(({ value, count }) => ({
          value: value === '' ? '/' : value,
          name: value === '' || value === '/' ? words.root : value,
          count,
        })),
        total: facets.folders_total,
      };
    case 'batch':
      // They have no counts: a batch is chosen in the details of a medium.
      return whole([]);
    case 'media_type':
      return whole(facets.media_types.map(({ value, count }) => ({ value, name: words.typeNames[value], count })));
  }
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

interface ListSectionProps extends ExploreNavigation {
  readonly datasetId: string;
  readonly facet: ListFilter;
  readonly facets: Facets | undefined;
  readonly title: string;
}

/** The options of a list: some of them, or all that a text is in. The service searches a list that it has cut. */
function useOptions({ datasetId, state, facet, facets }: ListSectionProps, isWhole: boolean, sought: string) {
  const { options, total } = facets === undefined ? whole([]) : optionsOf(facet, facets);
  const isCut = total > options.length;
  const asked = useRested(isCut && isWhole ? sought.trim() : '');
  const search = useFacetSearch(datasetId, state, asked);
  const searched = asked === '' || search.data === undefined ? undefined : optionsOf(facet, search.data);
  const chosen = valuesOf(state.filters, facet);
  const excluded = excludedOf(state.filters, facet);
  const named = [...chosen, ...excluded];
  const tagNames = useTagNames(datasetId, facet === 'tags' && named.length > 0);
  const missing = named
    .filter((value) => options.every((option) => option.value !== value))
    .map((value): Option => ({ value, name: tagNames[value] ?? value, count: null }));
  const useful = [...missing, ...options].filter(({ value, count }) => (count ?? 0) > 0 || named.includes(value));
  return {
    chosen,
    excluded,
    many: isCut ? total : useful.length,
    found: (searched?.options ?? useful).filter(({ name }) => folded(name).includes(folded(sought.trim()))),
    // Chosen values are always listed, so that they can be removed.
    few: useful.filter((option, at) => at < FEW || named.includes(option.value)),
    cut: searched ?? { options, total },
  };
}

/** A list of values to choose or to exclude. */
export function ListSection(props: ListSectionProps) {
  const { change, facet, title } = props;
  const [isWhole, setIsWhole] = useState(false);
  const [sought, setSought] = useState('');
  const { chosen, excluded, many, found, few, cut } = useOptions(props, isWhole, sought);
  if (few.length === 0) return null;
  return (
    <section className={styles.section}>
      <h2>
        <span dir="auto">{title}</span>
      </h2>
      {isWhole && (
        <input
          className={styles.find}
          aria-label={words.find(title)}
          placeholder={words.find(title)}
          value={sought}
          maxLength={200}
          onChange={({ target }) => setSought(target.value)}
        />
      )}
      {(isWhole ? found : few).map((option) => (
        <OptionRow
          key={option.value}
          option={option}
          isChosen={chosen.includes(option.value)}
          isExcluded={excluded.includes(option.value)}
          onToggle={(how) => change({ filters: (current) => toggled(current, facet, option.value, how) })}
        />
      ))}
      {isWhole && (
        <p className={styles.cut} role="status">
          {cut.total > cut.options.length
            ? words.cut(cut.options.length, cut.total)
            : found.length === 0 && words.noneFound}
        </p>
      )}
      {(isWhole || many > few.length) && (
        <button type="button" className={styles.more} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? words.fewer : words.more(many - few.length)}
          <span className="visually-hidden">
            {' '}
            {title}, {formatNumber(many)}
          </span>
        </button>
      )}
    </section>
  );
}

function OptionRow({
  option: { name, count },
  isChosen,
  isExcluded,
  onToggle,
}: {
  readonly option: Option;
  readonly isChosen: boolean;
  readonly isExcluded: boolean;
  readonly onToggle: (how: 'choose' | 'exclude') => void;
}) {
  return (
    <div className={styles.option} data-excluded={isExcluded}>
      <label>
        <input type="checkbox" checked={isChosen} onChange={() => onToggle('choose')} />
        <span dir="auto" title={name}>
          {name}
        </span>
        {count !== null && <small>{formatCount(count)}</small>}
      </label>
      <button
        type="button"
        aria-pressed={isExcluded}
        aria-label={words.exclude(name)}
        title={words.exclude(name)}
        onClick={() => onToggle('exclude')}
      >
        <Icon name="minus" size={14} />
      </button>
    </div>
  );
}
