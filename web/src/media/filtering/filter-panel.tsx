import { useState } from 'react';
import type { components } from 'dataset-media-service-sdk';
import { texts } from '../../texts';
import type { ExploreNavigation } from '../explore-address';
import {
  fieldFilter,
  fieldOf,
  isFieldFilter,
  listsIn,
  numberOf,
  withNumber,
  type FieldFilter,
  type ListFilter,
  type NumberFilter,
} from '../simple-filters';
import { ListSection } from './list-section';
import { OutcomeSection } from './outcome-section';
import { SourceSection } from './source-section';
import { SizeSections } from './size-sections';
import styles from './filtering.module.css';

type Facets = components['schemas']['Facets'];

const { filters: words } = texts.explore;

const SECTIONS: readonly (readonly [ListFilter, string])[] = [
  ['labels', words.labels],
  ['tags', words.tags],
  ['issues', words.issues],
  ['media_type', words.mediaTypes],
  ['folders', words.folders],
  ['batch', words.batch],
];

/** Fields of the dataset's own with texts: with values in the result, or with a filter. */
function fieldsOf(facets: Facets | undefined, { filters }: ExploreNavigation['state']): readonly FieldFilter[] {
  const counted = (facets?.custom_metadata ?? []).flatMap(({ field_name: name, field_type: type, values }) =>
    values === null || type === 'boolean' ? [] : [fieldFilter(name)],
  );
  return [...new Set([...counted, ...listsIn(filters).filter(isFieldFilter)])];
}

export function FilterPanel({
  datasetId,
  state,
  change,
  facets,
}: ExploreNavigation & { readonly datasetId: string; readonly facets: Facets | undefined }) {
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
        <ListSection key={key} facet={key} title={title} {...{ datasetId, state, change, facets }} />
      ))}
      {fieldsOf(facets, state).map((key) => (
        <ListSection key={key} facet={key} title={fieldOf(key)} {...{ datasetId, state, change, facets }} />
      ))}
      <SourceSection {...{ datasetId, state, change }} />
      <OutcomeSection {...{ datasetId, state, change }} />
      <SizeSections state={state} change={change} />
    </aside>
  );
}

interface Range {
  /** The position of the slider that means no filter. */
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
