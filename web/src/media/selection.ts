import { useCallback, useMemo, useRef, useState } from 'react';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly has: (id: string | undefined) => boolean;
  readonly select: (index: number, how: 'toggle' | 'range' | 'all') => void;
  readonly choose: (ids: Iterable<string>) => void;
  readonly lasso: Lasso;
  readonly clear: () => void;
}

export interface Lasso {
  /** Adds to what is selected, or begins anew. */
  readonly begin: (adds: boolean) => void;
  readonly around: (indices: readonly number[]) => void;
}

const NONE: ReadonlySet<string> = new Set();

/** What people picked, by id. A range goes from what they picked last; all are those that are loaded. */
export function useSelection(count: number, idAt: (index: number) => string | undefined): Selection {
  const [ids, setIds] = useState(NONE);
  const [from, setFrom] = useState<number | null>(null);
  const before = useRef(NONE);
  const latest = useRef({ ids, idAt, count });
  latest.current = { ids, idAt, count };
  const select = useCallback<Selection['select']>(
    (index, how) => {
      const other = how === 'range' && from !== null ? from : index;
      const [begin, end] =
        how === 'all' ? [0, latest.current.count - 1] : [Math.min(other, index), Math.max(other, index)];
      const picked = Array.from({ length: end - begin + 1 }, (_, at) => latest.current.idAt(begin + at)).filter(
        (id) => id !== undefined,
      );
      setIds((current) => {
        const next = new Set(current);
        const removes = how === 'toggle' && picked.every((id) => current.has(id));
        for (const id of picked)
          if (removes) next.delete(id);
          else next.add(id);
        return next;
      });
      if (how !== 'all') setFrom(index);
    },
    [from],
  );
  const lasso = useMemo<Lasso>(
    () => ({
      begin: (adds) => {
        before.current = adds ? latest.current.ids : NONE;
      },
      around: (indices) => {
        const caught = indices.map((index) => latest.current.idAt(index)).filter((id) => id !== undefined);
        setIds(new Set([...before.current, ...caught]));
      },
    }),
    [],
  );
  const choose = useCallback((chosen: Iterable<string>) => setIds(new Set(chosen)), []);
  const clear = useCallback(() => setIds(NONE), []);
  return useMemo(
    () => ({ ids, has: (id) => id !== undefined && ids.has(id), select, choose, lasso, clear }),
    [ids, select, choose, lasso, clear],
  );
}
