import { useCallback, useMemo, useState } from 'react';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly has: (id: string | undefined) => boolean;
  readonly select: (index: number, how: 'toggle' | 'range' | 'all') => void;
  readonly clear: () => void;
}

/** What people picked, by id. A range goes from what they picked last. */
export function useSelection(count: number, idAt: (index: number) => string | undefined): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [from, setFrom] = useState<number | null>(null);
  const select = useCallback<Selection['select']>(
    (index, how) => {
      const [begin, end] =
        how === 'all'
          ? [0, count - 1]
          : how === 'range' && from !== null
            ? [Math.min(from, index), Math.max(from, index)]
            : [index, index];
      const picked = Array.from({ length: end - begin + 1 }, (_, at) => idAt(begin + at)).filter(
        (id) => id !== undefined,
      );
      setIds((before) => {
        const next = new Set(before);
        const removes = how === 'toggle' && picked.every((id) => before.has(id));
        for (const id of picked)
          if (removes) next.delete(id);
          else next.add(id);
        return next;
      });
      if (how !== 'all') setFrom(index);
    },
    [count, from, idAt],
  );
  const clear = useCallback(() => setIds(new Set()), []);
  return useMemo(() => ({ ids, has: (id) => id !== undefined && ids.has(id), select, clear }), [ids, select, clear]);
}
