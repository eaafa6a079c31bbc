import { useState } from 'react';
import { useRested } from '../../design/use-rested';
import { texts } from '../../texts';
import { formatNumber } from '../../texts/format';
import type { ExploreNavigation } from '../explore-address';
import { useFacetSearch, useTagNames } from '../facets';
import { excludedOf, toggled, valuesOf, type ListFilter } from '../simple-filters';
import { folded, option, optionsOf, whole, type Option } from './list-options';
import { FoldButton, OptionRow } from './option-row';
import styles from './filtering.module.css';

type Facets = Parameters<typeof optionsOf>[1];

const { filters: words } = texts.explore;
const FEW = 8;

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
    .filter((value) => options.every((each) => each.value !== value))
    .map((value) => option(value, tagNames[value] ?? value, null));
  const useful = [...missing, ...options].filter(({ value, count }) => (count ?? 0) > 0 || named.includes(value));
  const folding = useFolding(useful, named);
  // Chosen values are always listed, so that they can be removed.
  const few = new Set([
    ...useful
      .filter(isWidest)
      .slice(0, FEW)
      .map(({ value }) => value),
    ...folding.holding,
    ...named,
  ]);
  const shown = useful.filter((each) => folding.isShown(each) && few.has(widestOf(each)));
  return {
    chosen,
    excluded,
    folding,
    many: isCut ? total : useful.length,
    more: isCut ? total - shown.length : useful.filter((each) => isWidest(each) && !few.has(each.value)).length,
    found: sought.trim() === '' ? useful.filter(folding.isShown) : namedWith(searched?.options ?? useful, sought),
    few: shown,
    cut: searched ?? { options, total },
  };
}

const isWidest = ({ above }: Option): boolean => above.length === 0;
const widestOf = ({ value, above }: Option): string => above[0] ?? value;

/** The options whose name contains the text, with those that they are listed under. */
function namedWith(options: readonly Option[], text: string): readonly Option[] {
  const found = options.filter(({ name }) => folded(name).includes(folded(text.trim())));
  const values = new Set(found.flatMap(({ value, above }) => [value, ...above]));
  return options.filter(({ value }) => values.has(value));
}

/** Which options show those below them: what people opened, and what holds a chosen or excluded one. */
function useFolding(options: readonly Option[], named: readonly string[]) {
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  const holding = new Set(options.filter(({ value }) => named.includes(value)).flatMap(({ above }) => above));
  const isOpen = (value: string): boolean => opened.get(value) ?? holding.has(value);
  return {
    holding,
    isOpen,
    isShown: ({ above }: Option): boolean => above.every(isOpen),
    toggle: (value: string) => setOpened(new Map([...opened, [value, !isOpen(value)]])),
  };
}

/** A list of values to choose or to exclude. */
export function ListSection(props: ListSectionProps) {
  const { change, facet, title } = props;
  const [isWhole, setIsWhole] = useState(false);
  const [sought, setSought] = useState('');
  const { chosen, excluded, folding, many, more, found, few, cut } = useOptions(props, isWhole, sought);
  if (few.length === 0) return null;
  const isTree = cut.options.some(({ hasNarrower }) => hasNarrower);
  return (
    <section className={styles.section}>
      <h2>
        <span dir="auto">{title}</span>
      </h2>
      {isWhole && <FindInput title={title} value={sought} onChange={setSought} />}
      {(isWhole ? found : few).map((each) => (
        <OptionRow
          key={each.value}
          option={each}
          isChosen={chosen.includes(each.value)}
          isExcluded={excluded.includes(each.value)}
          fold={
            isTree && (
              <FoldButton
                option={each}
                isOpen={folding.isOpen(each.value) || (isWhole && sought.trim() !== '')}
                onClick={() => folding.toggle(each.value)}
              />
            )
          }
          onToggle={(how) =>
            change({ filters: (current) => toggled(current, facet, each.value, how, each.hasNarrower) })
          }
        />
      ))}
      {isWhole && (
        <p className={styles.cut} role="status">
          {cut.total > cut.options.length
            ? words.cut(cut.options.length, cut.total)
            : found.length === 0 && words.noneFound}
        </p>
      )}
      {(isWhole || more > 0) && (
        <MoreButton title={title} many={many} more={isWhole ? null : more} onClick={() => setIsWhole(!isWhole)} />
      )}
    </section>
  );
}

function FindInput({
  title,
  value,
  onChange,
}: {
  readonly title: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <input
      className={styles.find}
      aria-label={words.find(title)}
      placeholder={words.find(title)}
      value={value}
      maxLength={200}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function MoreButton({
  title,
  many,
  more,
  onClick,
}: {
  readonly title: string;
  readonly many: number;
  /** Null if all are listed. */
  readonly more: number | null;
  readonly onClick: () => void;
}) {
  return (
    <button type="button" className={styles.more} onClick={onClick}>
      {more === null ? words.fewer : words.more(more)}
      <span className="visually-hidden">
        {' '}
        {title}, {formatNumber(many)}
      </span>
    </button>
  );
}
