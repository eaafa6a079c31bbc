import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { readState, writeState, type ExploreNavigation } from '../../media/explore-address';

export {
  ENTITY_TYPES,
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
  const [params, setParams] = useSearchParams();
  const state = useMemo(() => readState(params), [params]);
  const change = useCallback<ExploreNavigation['change']>(
    (part, options) => setParams((current) => writeState({ ...readState(current), block: 0, ...part }), options),
    [setParams],
  );
  return { state, change };
}
