import { useCallback, useState } from 'react';

/** The pages of an answer that the tiles in sight are on. */
export function useVisiblePages(perPage: number): readonly [readonly number[], (first: number, last: number) => void] {
  const [[from, to], setRange] = useState<readonly [number, number]>([0, 0]);
  const onVisible = useCallback(
    (first: number, last: number) => {
      const [nextFrom, nextTo] = [Math.floor(first / perPage), Math.floor(last / perPage)];
      setRange((before) => (before[0] === nextFrom && before[1] === nextTo ? before : [nextFrom, nextTo]));
    },
    [perPage],
  );
  return [Array.from({ length: to - from + 1 }, (_, at) => from + at), onVisible];
}

/** The items of a page that were read. */
export const itemsOf = <Item>(page: number, perPage: number, at: (index: number) => Item | undefined): Item[] =>
  Array.from({ length: perPage }, (_, offset) => at(page * perPage + offset)).filter((item) => item !== undefined);
