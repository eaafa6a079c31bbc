import { useQuery } from '@tanstack/react-query';
import { service } from '../api/client';
import { keys } from '../api/keys';
import { Icon } from '../design/icon';
import { texts } from '../texts';
import { formatBytes } from '../texts/format';
import type { Anchor, ExploreNavigation } from './explore-address';
import { useTagNames } from './facets';
import { pictureOf } from './searched-pictures';
import {
  boundsOf,
  excludedOf,
  fieldOf,
  fileNameOf,
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
import styles from './filter-chips.module.css';

const { filters: words } = texts.explore;

interface ChipData {
  readonly key: string;
  readonly text: string;
  readonly remove: () => void;
}

const inUnit = (key: RangeFilter, value: number): string =>
  key === 'file_size' ? formatBytes(value) : words.pixels(value);

function rangeText(key: RangeFilter, { from, to }: Bounds): string {
  const [least, most] = [from, to].map((value) => (value === null ? null : inUnit(key, value)));
  return `${words.ranges[key]} ${words.bounds(least ?? null, most ?? null)}`;
}

function nameOf(key: ListFilter, value: string, tagNames: Readonly<Record<string, string>>): string {
  if (isFieldFilter(key)) return `${fieldOf(key)}: ${value}`;
  const names: Readonly<Record<string, string>> =
    key === 'issues' ? words.issueNames : key === 'media_type' ? words.typeNames : {};
  const special = { unlabeled: words.unlabeled, untagged: words.untagged, '/': words.root }[value];
  const tag = key === 'tags' ? tagNames[value] : undefined;
  if (key === 'batch') return words.batchNamed(value.slice(0, 8));
  return names[value] ?? special ?? tag ?? value;
}

/** The active filters, each with a button that removes it. */
export function FilterChips({ datasetId, state, change }: ExploreNavigation & { readonly datasetId: string }) {
  const { filters, unreadable, caption, anchor } = state;
  const named = [...valuesOf(filters, 'tags'), ...excludedOf(filters, 'tags')];
  const tagNames = useTagNames(datasetId, named.length > 0);
  const lists = listsIn(filters).flatMap((key) => [
    ...valuesOf(filters, key).map((value) => ({
      key: `${key}:${value}`,
      text: nameOf(key, value, tagNames),
      remove: () => change({ filters: (current) => toggled(current, key, value) }),
    })),
    ...excludedOf(filters, key).map((value) => ({
      key: `not ${key}:${value}`,
      text: words.excluded(nameOf(key, value, tagNames)),
      remove: () => change({ filters: (current) => toggled(current, key, value, 'exclude') }),
    })),
  ]);
  const meaning = meaningOf(filters);
  const duplicates = numberOf(filters, 'duplicates');
  const uniqueness = numberOf(filters, 'uniqueness');
  const ranges = RANGE_FILTERS.map((key) => ({ key, bounds: boundsOf(filters, key) })).filter(
    ({ bounds }) => !isOpen(bounds),
  );
  const fileName = fileNameOf(filters);
  const sought = wordsOf(filters);
  const chips: ChipData[] = [
    ...(unreadable === undefined
      ? []
      : [{ key: 'unreadable', text: words.unreadable, remove: () => change({ filters: [] }) }]),
    ...(sought === ''
      ? []
      : [
          {
            key: 'words',
            text: words.words(sought),
            remove: () => change({ filters: (current) => withWords(current, '') }),
          },
        ]),
    ...(caption === ''
      ? []
      : [{ key: 'caption', text: words.meaning(caption), remove: () => change({ caption: '' }) }]),
    ...(meaning === null
      ? []
      : [
          {
            key: 'meaning',
            text: words.meaning(meaning.text),
            remove: () => change({ filters: (current) => withMeaning(current, null) }),
          },
        ]),
    ...(duplicates === null
      ? []
      : [
          {
            key: 'duplicates',
            text: `${words.duplicates}: ${words.duplicatesFrom(duplicates)}`,
            remove: () => change({ filters: (current) => withNumber(current, 'duplicates', null) }),
          },
        ]),
    ...(uniqueness === null
      ? []
      : [
          {
            key: 'uniqueness',
            text: `${words.uniqueness}: ${words.uniquenessFrom(uniqueness)}`,
            remove: () => change({ filters: (current) => withNumber(current, 'uniqueness', null) }),
          },
        ]),
    ...lists,
    ...ranges.map(({ key, bounds }) => ({
      key,
      text: rangeText(key, bounds),
      remove: () => change({ filters: (current) => withBounds(current, key, { from: null, to: null }) }),
    })),
    ...(fileName === ''
      ? []
      : [
          {
            key: 'files',
            text: words.fileNamed(fileName),
            remove: () => change({ filters: (current) => withFileName(current, '') }),
          },
        ]),
    ...otherFilters(filters).map((filter, at) => ({
      key: `other:${at}`,
      text: isArea(filter) ? words.area : JSON.stringify(filter),
      remove: () => change({ filters: filters.filter((each) => each !== filter) }),
    })),
  ];
  if (chips.length === 0 && anchor === null) return null;
  return (
    <div className={styles.chips}>
      {anchor !== null && (
        <AnchorChip datasetId={datasetId} anchor={anchor} onRemove={() => change({ anchor: null })} />
      )}
      {chips.map(({ key, text, remove }) => (
        <span key={key} className={styles.chip}>
          <span dir="auto" title={text}>
            {text}
          </span>
          <button type="button" aria-label={words.remove(text)} onClick={remove}>
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
