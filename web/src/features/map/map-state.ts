import { useCallback, useMemo } from 'react';
import { useParameters } from '../../design/parameters';
import { changed, readState, writeState, type ExploreNavigation } from '../../media/explore-address';
import { colouringOf, withColouring, type Colouring } from './map-address';

export interface MapNavigation extends ExploreNavigation {
  readonly colouring: Colouring;
  readonly setColouring: (colouring: Colouring) => void;
}

/** Of Explore, as the map changes them. */
const SHARED = ['type', 'level', 'vql', 'caption', 'anchor', 'sort', 'block'];

/** The parameters of Explore, and those of the map beside them. */
export function useMapState(): MapNavigation {
  const [params, changeParams] = useParameters();
  const search = params.toString();
  const shared = SHARED.map((name) => params.get(name) ?? '').join('\n');
  // The view is in the address too, and changes often.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const state = useMemo(() => readState(new URLSearchParams(search)), [shared]);
  const change = useCallback<ExploreNavigation['change']>(
    (part, options) =>
      changeParams((current) => {
        const next = new URLSearchParams(current);
        for (const name of SHARED) next.delete(name);
        for (const [name, value] of writeState(changed(readState(current), part))) next.set(name, value);
        return next;
      }, options),
    [changeParams],
  );
  const setColouring = useCallback(
    (colouring: Colouring) => changeParams((current) => withColouring(current, colouring), { replace: true }),
    [changeParams],
  );
  return { state, change, colouring: colouringOf(params), setColouring };
}
