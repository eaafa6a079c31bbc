import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { readState, writeState, type ExploreState } from '../../media/explore-address';

export {
  ENTITY_TYPES,
  parseFilters,
  pictured,
  readState,
  writeState,
  type Anchor,
  type EntityType,
  type ExploreState,
} from '../../media/explore-address';

export interface ExploreNavigation {
  readonly state: ExploreState;
  /** Also goes back to the beginning of the result, unless it says which part. */
  readonly change: (part: Partial<ExploreState>, options?: { readonly replace?: boolean }) => void;
}

export function useExploreState(): ExploreNavigation {
  const [params, setParams] = useSearchParams();
  const state = useMemo(() => readState(params), [params]);
  const change = useCallback<ExploreNavigation['change']>(
    (part, options) => setParams((current) => writeState({ ...readState(current), block: 0, ...part }), options),
    [setParams],
  );
  return { state, change };
}

/** The parameters of explore, of the members of a cluster, and of facets. */
export const queryOf = ({ entity, level, caption, filters, anchor }: ExploreState) => ({
  entity_type: entity,
  threshold: level,
  ...(caption === '' ? {} : { caption }),
  ...(filters.length === 0 ? {} : { vql: JSON.stringify(filters) }),
  ...(anchor === null ? {} : { anchor_type: anchor.type, anchor_media_id: anchor.id }),
});
