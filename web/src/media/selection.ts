import { useCallback, useMemo, useRef, useState } from 'react';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** The number of their media. */
  readonly media: number;
  readonly has: (id: string | undefined) => boolean;
  readonly select: (index: number, how: 'toggle' | 'range' | 'all') => void;
  readonly choose: (items: Iterable<SelectedItem>) => void;
  readonly lasso: Lasso;
  readonly clear: () => void;
}

/** A medium, or a cluster of `size` media. */
export interface SelectedItem {
  readonly id: string;
  readonly size: number;
}

export interface Lasso {
  /** Adds to the selection, or replaces it. */
  readonly begin: (adds: boolean) => void;
  readonly around: (indices: readonly number[]) => void;
}

type Sizes = ReadonlyMap<string, number>;

const NONE: Sizes = new Map();

/** The selected items, by id. A range begins at the last selected item; "all" are the loaded ones. */
export function useSelection(count: number, itemAt: (index: number) => SelectedItem | undefined): Selection {
  const [sizes, setSizes] = useState(NONE);
  const [from, setFrom] = useState<number | null>(null);
  const before = useRef(NONE);
  const latest = useRef({ sizes, itemAt, count });
  latest.current = { sizes, itemAt, count };
  const select = useCallback<Selection['select']>(
    (index, how) => {
      const other = how === 'range' && from !== null ? from : index;
      const [begin, end] =
        how === 'all' ? [0, latest.current.count - 1] : [Math.min(other, index), Math.max(other, index)];
      const picked = Array.from({ length: end - begin + 1 }, (_, at) => latest.current.itemAt(begin + at)).filter(
        (item) => item !== undefined,
      );
      setSizes((current) => withPicked(current, picked, how === 'toggle'));
      if (how !== 'all') setFrom(index);
    },
    [from],
  );
  const lasso = useMemo<Lasso>(
    () => ({
      begin: (adds) => {
        before.current = adds ? latest.current.sizes : NONE;
      },
      around: (indices) => {
        const caught = indices.map((index) => latest.current.itemAt(index)).filter((item) => item !== undefined);
        setSizes(new Map([...before.current, ...sizesOf(caught)]));
      },
    }),
    [],
  );
  const choose = useCallback((items: Iterable<SelectedItem>) => setSizes(sizesOf(items)), []);
  const clear = useCallback(() => setSizes(NONE), []);
  return useMemo(
    () => ({
      ids: new Set(sizes.keys()),
      media: [...sizes.values()].reduce((sum, size) => sum + size, 0),
      has: (id) => id !== undefined && sizes.has(id),
      select,
      choose,
      lasso,
      clear,
    }),
    [sizes, select, choose, lasso, clear],
  );
}

/** With the items; if `toggles`, without them where all were selected. */
function withPicked(current: Sizes, picked: readonly SelectedItem[], toggles: boolean): Sizes {
  const next = new Map(current);
  const removes = toggles && picked.every(({ id }) => current.has(id));
  for (const { id, size } of picked)
    if (removes) next.delete(id);
    else next.set(id, size);
  return next;
}

const sizesOf = (items: Iterable<SelectedItem>) => new Map(Array.from(items, ({ id, size }) => [id, size]));

export const mediumOf = (id: string | undefined): SelectedItem | undefined =>
  id === undefined ? undefined : { id, size: 1 };
