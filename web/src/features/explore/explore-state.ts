import { useCallback, useMemo } from 'react';
import { useParameters } from '../../design/parameters';
import { changed, readState, writeState, type ExploreNavigation } from '../../media/explore-address';

export {
  changed,
  ENTITY_TYPES,
  hasLikeness,
  isRanked,
  orderedQueryOf,
  parseFilters,
  pictured,
  readState,
  writeState,
  type EntityType,
  type ExploreNavigation,
  type ExploreState,
} from '../../media/explore-address';

export function useExploreState(): ExploreNavigation {
  const [params, changeParams] = useParameters();
  const state = useMemo(() => readState(params), [params]);
  const change = useCallback<ExploreNavigation['change']>(
    (part, options) => changeParams((current) => writeState(changed(readState(current), part)), options),
    [changeParams],
  );
  return { state, change };
}
