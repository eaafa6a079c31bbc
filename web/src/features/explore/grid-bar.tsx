import { Select } from '../../design/choices';
import { wordsOf } from '../../media/simple-filters';
import { SORTS, type Sort } from '../../media/sort';
import { TileBar } from '../../media/tile-bar';
import { texts } from '../../texts';
import { hasLikeness, isRanked, type ExploreNavigation, type ExploreState } from './explore-state';

const { grid: words } = texts.explore;
const NO_SORT = '';
const SORT_OPTIONS = SORTS.map((value) => ({ value, label: words.sorts[value] }));

/** Above the tiles: their order, facts and size. */
export function GridBar({
  state,
  change,
  unsorted,
}: {
  readonly state: ExploreState;
  readonly change: ExploreNavigation['change'];
  /** The order without a sort. */
  readonly unsorted: string;
}) {
  const isSorted = !isRanked(state);
  const usual = hasLikeness(state) ? words.similar : wordsOf(state.filters) === '' ? unsorted : words.byWords;
  const options = [{ value: NO_SORT, label: usual }, ...(isSorted ? SORT_OPTIONS : [])];
  return (
    <TileBar>
      <Select
        label={words.sort}
        options={options}
        value={isSorted ? (state.sort ?? NO_SORT) : NO_SORT}
        onChange={(value) => change({ sort: value === NO_SORT ? null : (value as Sort) })}
      />
    </TileBar>
  );
}
