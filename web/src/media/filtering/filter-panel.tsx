import { useState } from 'react';
import type { components } from 'dataset-media-service-sdk';
import { texts } from '../../texts';
import { formatCount, formatNumber } from '../../texts/format';
import type { ExploreNavigation } from '../explore-address';
import { numberOf, toggled, valuesOf, withNumber, type ListFilter, type NumberFilter } from '../simple-filters';
import { SizeSections } from './size-sections';
import styles from './filtering.module.css';

type Facets = components['schemas']['Facets'];

interface Option {
  readonly value: string;
  readonly name: string;
  /** Null where nobody counted. */
  readonly count: number | null;
}

const { filters: words } = texts.explore;
const FEW = 8;

/** The values of a facet, and of the special value for having none. */
function optionsOf(key: ListFilter, facets: Facets): Option[] {
  switch (key) {
    case 'labels':
      return [
        ...facets.labels.map(({ value, count }) => ({ value, name: value, count })),
        { value: 'unlabeled', name: words.unlabeled, count: facets.unlabeled },
      ];
    case 'tags':
      return [
        ...facets.tags.map(({ id, name, count }) => ({ value: id, name, count })),
        { value: 'untagged', name: words.untagged, count: facets.untagged },
      ];
    case 'issues':
      return facets.issues.map(({ issue, count }) => ({ value: issue, name: words.issueNames[issue], count }));
    case 'folders':
      return facets.folders.map(({ value, count }) => ({
        value: value === '' ? '/' : value,
        name: value === '' || value === '/' ? words.root : value,
        count,
      }));
    case 'batch':
      // They have no counts: a batch is chosen in the details of a medium.
      return [];
    case 'media_type':
      return facets.media_types.map(({ value, count }) => ({ value, name: words.typeNames[value], count }));
  }
}

const SECTIONS: readonly (readonly [ListFilter, string])[] = [
  ['labels', words.labels],
  ['tags', words.tags],
  ['issues', words.issues],
  ['media_type', words.mediaTypes],
  ['folders', words.folders],
  ['batch', words.batch],
];

export function FilterPanel({ state, change, facets }: ExploreNavigation & { readonly facets: Facets | undefined }) {
  const setNumber = (key: NumberFilter) => (value: number | null) =>
    change({ filters: (current) => withNumber(current, key, value) }, { replace: true });
  return (
    <aside className={styles.panel} data-tour="filters" aria-label={words.title}>
      <NumberSection
        title={words.duplicates}
        value={numberOf(state.filters, 'duplicates')}
        range={{ off: 1.01, min: 0.8, max: 1.01, step: 0.01 }}
        say={(value) => (value === null ? words.duplicatesOff : words.duplicatesFrom(value))}
        onChange={setNumber('duplicates')}
      />
      <NumberSection
        title={words.uniqueness}
        value={numberOf(state.filters, 'uniqueness')}
        range={{ off: 0, min: 0, max: 0.99, step: 0.01 }}
        say={(value) => (value === null ? words.uniquenessOff : words.uniquenessFrom(value))}
        onChange={setNumber('uniqueness')}
      />
      {SECTIONS.map(([key, title]) => (
        <ListSection
          key={key}
          title={title}
          options={facets === undefined ? [] : optionsOf(key, facets)}
          chosen={valuesOf(state.filters, key)}
          onToggle={(value) => change({ filters: (current) => toggled(current, key, value) })}
        />
      ))}
      <SizeSections state={state} change={change} />
    </aside>
  );
}

interface Range {
  /** Where the slider stands for no filter. */
  readonly off: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

function NumberSection({
  title,
  value,
  range: { off, ...range },
  say,
  onChange,
}: {
  readonly title: string;
  readonly value: number | null;
  readonly range: Range;
  readonly say: (value: number | null) => string;
  readonly onChange: (value: number | null) => void;
}) {
  const [dragged, setDragged] = useState<number | null>(null);
  const at = dragged ?? value ?? off;
  const meant = Math.abs(at - off) < range.step / 2 ? null : Number(at.toFixed(2));
  const commit = () => {
    if (dragged === null) return;
    setDragged(null);
    if (meant !== value) onChange(meant);
  };
  return (
    <section className={styles.section}>
      <h2>
        {title}
        <output>{say(meant)}</output>
      </h2>
      <input
        type="range"
        aria-label={title}
        aria-valuetext={say(meant)}
        {...range}
        value={at}
        onChange={({ target }) => setDragged(target.valueAsNumber)}
        onPointerUp={commit}
        onKeyUp={commit}
        onBlur={commit}
      />
    </section>
  );
}

function ListSection({
  title,
  options,
  chosen,
  onToggle,
}: {
  readonly title: string;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly onToggle: (value: string) => void;
}) {
  const [isWhole, setIsWhole] = useState(false);
  const [sought, setSought] = useState('');
  const missing = chosen.filter((value) => options.every((option) => option.value !== value));
  const all: Option[] = [...missing.map((value) => ({ value, name: value, count: null })), ...options];
  const useful = all.filter(({ value, count }) => (count ?? 0) > 0 || chosen.includes(value));
  if (useful.length === 0) return null;
  const found = useful.filter(({ name }) => name.toLowerCase().includes(sought.toLowerCase()));
  const shown = isWhole ? found : useful.slice(0, FEW);
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {isWhole && (
        <input
          className={styles.find}
          aria-label={words.find(title)}
          placeholder={words.find(title)}
          value={sought}
          onChange={({ target }) => setSought(target.value)}
        />
      )}
      {shown.map(({ value, name, count }) => (
        <label key={value} className={styles.option}>
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => onToggle(value)} />
          <span dir="auto" title={name}>
            {name}
          </span>
          {count !== null && <small>{formatCount(count)}</small>}
        </label>
      ))}
      {useful.length > FEW && (
        <button type="button" className={styles.more} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? words.fewer : words.more(useful.length - FEW)}
          <span className="visually-hidden">
            {' '}
            {title}, {formatNumber(useful.length)}
          </span>
        </button>
      )}
    </section>
  );
}
