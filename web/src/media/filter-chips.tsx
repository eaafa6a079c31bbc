import { useQuery } from '@tanstack/react-query';
import { service } from '../api/client';
import { keys } from '../api/keys';
import { Icon } from '../design/icon';
import { texts } from '../texts';
import { formatBytes } from '../texts/format';
import type { Anchor, ExploreChange, ExploreNavigation } from './explore-address';
import { evaluationFilterOf, evaluationFilterText, evaluationIn } from './evaluating/evaluation-filter';
import { useEvaluation } from './evaluating/evaluation-queries';
import { useTagNames } from './facets';
import { pictureOf } from './searched-pictures';
import {
  boundsOf,
  excludedOf,
  fieldOf,
  fileNameOf,
  hasNarrower,
  isArea,
  isFieldFilter,
  isOpen,
  listsIn,
  meaningOf,
  numberOf,
  otherFilters,
  RANGE_FILTERS,
  toggled,
  valuesOf,
  withBounds,
  withFileName,
  withMeaning,
  withNumber,
  withWords,
  wordsOf,
  type Bounds,
  type ListFilter,
  type RangeFilter,
} from './simple-filters';
import { sourceFiltersOf, sourceFilterText, withoutSource } from './source-filters';
import styles from './filter-chips.module.css';

const { filters: words } = texts.explore;

type Filters = ExploreNavigation['state']['filters'];

interface ChipData {
  readonly key: string;
  readonly text: string;
  /** The change that takes it away. */
  readonly without: ExploreChange;
}

const inUnit = (key: RangeFilter, value: number): string =>
  key === 'file_size' ? formatBytes(value) : words.pixels(value);

function rangeText(key: RangeFilter, { from, to }: Bounds): string {
  const [least, most] = [from, to].map((value) => (value === null ? null : inUnit(key, value)));
  return `${words.ranges[key]} ${words.bounds(least ?? null, most ?? null)}`;
}

function nameOf(
  key: ListFilter,
  value: string,
  tagNames: Readonly<Record<string, string>>,
  isNarrower: boolean,
): string {
  if (isFieldFilter(key)) return `${fieldOf(key)}: ${value}`;
  const names: Readonly<Record<string, string>> =
    key === 'issues' ? words.issueNames : key === 'media_type' ? words.typeNames : {};
  const special = { unlabeled: words.unlabeled, untagged: words.untagged, '/': words.root }[value];
  const tag = key === 'tags' ? tagNames[value] : undefined;
  if (key === 'batch') return words.batchNamed(value.slice(0, 8));
  return names[value] ?? special ?? tag ?? (isNarrower ? words.anyOf(value) : value);
}

/** A filter that has one value, if it is there. */
const chip = (key: string, text: string | undefined, filters: ExploreChange['filters']): readonly ChipData[] =>
  text === undefined ? [] : [{ key, text, without: { filters } }];

function textChips({ filters, unreadable, caption }: ExploreNavigation['state']): readonly ChipData[] {
  const sought = wordsOf(filters);
  const meaning = meaningOf(filters);
  const meant = caption === '' ? [] : [{ key: 'caption', text: words.meaning(caption), without: { caption: '' } }];
  return [
    ...chip('unreadable', unreadable === undefined ? undefined : words.unreadable, []),
    ...chip('words', sought === '' ? undefined : words.words(sought), (current) => withWords(current, '')),
    ...meant,
    ...chip('meaning', meaning === null ? undefined : words.meaning(meaning.text), (current) =>
      withMeaning(current, null),
    ),
  ];
}

function numberChips(filters: Filters): readonly ChipData[] {
  const [copies, uniqueness] = [numberOf(filters, 'duplicates'), numberOf(filters, 'uniqueness')];
  return [
    ...chip(
      'duplicates',
      copies === null ? undefined : `${words.duplicates}: ${words.duplicatesFrom(copies)}`,
      (current) => withNumber(current, 'duplicates', null),
    ),
    ...chip(
      'uniqueness',
      uniqueness === null ? undefined : `${words.uniqueness}: ${words.uniquenessFrom(uniqueness)}`,
      (current) => withNumber(current, 'uniqueness', null),
    ),
  ];
}

const listChips = (filters: Filters, tagNames: Readonly<Record<string, string>>): readonly ChipData[] =>
  listsIn(filters).flatMap((key) => [
    ...valuesOf(filters, key).map((value) => ({
      key: `${key}:${value}`,
      text: nameOf(key, value, tagNames, key === 'labels' && hasNarrower(filters)),
      without: { filters: (current: Filters) => toggled(current, key, value) },
    })),
    ...excludedOf(filters, key).map((value) => ({
      key: `not ${key}:${value}`,
      text: words.excluded(nameOf(key, value, tagNames, key === 'labels' && hasNarrower(filters, 'exclude'))),
      without: { filters: (current: Filters) => toggled(current, key, value, 'exclude') },
    })),
  ]);

const sourceChips = (filters: Filters): readonly ChipData[] =>
  sourceFiltersOf(filters).map((filter) => ({
    key: `source:${filter.source}`,
    text: sourceFilterText(filter),
    without: { filters: (current: Filters) => withoutSource(current, filter.source) },
  }));

/** `name` is that of the first evaluation. */
const evaluationChips = (filters: Filters, name: string | undefined): readonly ChipData[] =>
  filters.flatMap((filter, at) => {
    const found = evaluationFilterOf(filter);
    if (found === undefined) return [];
    const named = found.evaluation === evaluationIn(filters)?.evaluation ? name : undefined;
    return chip(
      `evaluation:${at}`,
      evaluationFilterText(found, named),
      filters.filter((each) => each !== filter),
    );
  });

const rangeChips = (filters: Filters): readonly ChipData[] =>
  RANGE_FILTERS.flatMap((key) => {
    const bounds = boundsOf(filters, key);
    return chip(key, isOpen(bounds) ? undefined : rangeText(key, bounds), (current) =>
      withBounds(current, key, { from: null, to: null }),
    );
  });

function otherChips(filters: Filters): readonly ChipData[] {
  const name = fileNameOf(filters);
  return [
    ...chip('files', name === '' ? undefined : words.fileNamed(name), (current) => withFileName(current, '')),
    ...otherFilters(filters).flatMap((filter, at) =>
      chip(
        `other:${at}`,
        isArea(filter) ? words.area : JSON.stringify(filter),
        filters.filter((each) => each !== filter),
      ),
    ),
  ];
}

/** The active filters, each with a button that removes it. */
export function FilterChips({ datasetId, state, change }: ExploreNavigation & { readonly datasetId: string }) {
  const { filters, anchor } = state;
  const named = [...valuesOf(filters, 'tags'), ...excludedOf(filters, 'tags')];
  const tagNames = useTagNames(datasetId, named.length > 0);
  const { data: evaluation } = useEvaluation(datasetId, evaluationIn(filters)?.evaluation);
  const chips = [
    ...textChips(state),
    ...numberChips(filters),
    ...listChips(filters, tagNames),
    ...sourceChips(filters),
    ...evaluationChips(filters, evaluation?.name),
    ...rangeChips(filters),
    ...otherChips(filters),
  ];
  if (chips.length === 0 && anchor === null) return null;
  return (
    <div className={styles.chips}>
      {anchor !== null && (
        <AnchorChip datasetId={datasetId} anchor={anchor} onRemove={() => change({ anchor: null })} />
      )}
      {chips.map(({ key, text, without }) => (
        <span key={key} className={styles.chip}>
          <span dir="auto" title={text}>
            {text}
          </span>
          <button type="button" aria-label={words.remove(text)} onClick={() => change(without)}>
            <Icon name="close" size={12} />
          </button>
        </span>
      ))}
      <button type="button" className={styles.clear} onClick={() => change({ filters: [], caption: '', anchor: null })}>
        {words.clear}
      </button>
    </div>
  );
}

function AnchorChip({
  datasetId,
  anchor: { type, id },
  onRemove,
}: {
  readonly datasetId: string;
  readonly anchor: Anchor;
  readonly onRemove: () => void;
}) {
  const { data } = useQuery({
    queryKey: keys.of(datasetId, 'media', id),
    queryFn: () => service.dataset(datasetId).media(id),
    enabled: type === 'MEDIA',
  });
  const uploaded = type === 'UPLOAD' ? pictureOf(id) : undefined;
  const picture = uploaded?.src ?? data?.media_thumb_uri;
  const nameOfUpload = uploaded?.isPart === true ? words.similarToPart : words.similarToUpload;
  const name = type === 'UPLOAD' ? nameOfUpload : (data?.file_name ?? '');
  return (
    <span className={styles.chip}>
      {picture !== undefined && <img src={picture} alt="" />}
      <span title={name}>
        {words.similarTo} <bdi>{name}</bdi>
      </span>
      <button type="button" aria-label={words.remove(`${words.similarTo} ${name}`)} onClick={onRemove}>
        <Icon name="close" size={12} />
      </button>
    </span>
  );
}
