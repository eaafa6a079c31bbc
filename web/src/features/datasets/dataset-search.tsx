import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Select } from '../../design/choices';
import { useParameters } from '../../design/parameters';
import { texts } from '../../texts';
import { SORTS, type Sort } from './dataset-order';
import styles from './datasets.module.css';

const { datasets: words } = texts;
const SORT_OPTIONS = SORTS.map((value) => ({ value, label: words.sorts[value] }));

export interface DatasetSearch {
  readonly search: string;
  readonly sort: Sort;
  /** From 0. */
  readonly page: number;
  /** The id of a dataset whose unreadable files are shown; empty without any. */
  readonly unreadable: string;
}

type Change = (part: Partial<DatasetSearch>) => void;

/** Which datasets are shown, and in what order. All of it is in the address. */
export function useDatasetSearch(): readonly [DatasetSearch, Change] {
  const [params, changeParams] = useParameters();
  const search = useMemo(() => searchOf(params), [params]);
  const change = useCallback<Change>(
    (part) =>
      changeParams(
        (current) => {
          const next = { ...searchOf(current), page: 0, ...part };
          const written = new URLSearchParams();
          if (next.search !== '') written.set('search', next.search);
          if (next.sort !== SORTS[0]) written.set('sort', next.sort);
          if (next.unreadable !== '') written.set('unreadable', next.unreadable);
          if (next.page > 0) written.set('page', String(next.page));
          return written;
        },
        { replace: true },
      ),
    [changeParams],
  );
  return [search, change];
}

function searchOf(params: URLSearchParams): DatasetSearch {
  const page = Number(params.get('page') ?? 0);
  return {
    search: params.get('search') ?? '',
    sort: SORTS.find((sort) => sort === params.get('sort')) ?? SORTS[0],
    unreadable: params.get('unreadable') ?? '',
    page: Number.isInteger(page) && page > 0 ? page : 0,
  };
}

export function DatasetBar({ search, onChange }: { readonly search: DatasetSearch; readonly onChange: Change }) {
  const [typed, setTyped] = useState(search.search);
  const field = useRef<HTMLInputElement>(null);
  // The address follows what is typed a moment later, when more may have been typed: then it must not change the field.
  useEffect(() => {
    if (document.activeElement !== field.current) setTyped(search.search);
  }, [search.search]);
  return (
    <div className={styles.bar} role="search">
      <input
        ref={field}
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={typed}
        dir="auto"
        onChange={({ target }) => {
          setTyped(target.value);
          onChange({ search: target.value });
        }}
      />
      <Select
        label={words.sort}
        options={SORT_OPTIONS}
        value={search.sort}
        onChange={(value) => onChange({ sort: value as Sort })}
      />
    </div>
  );
}
