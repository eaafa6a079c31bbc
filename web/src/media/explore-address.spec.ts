import { changed, readState, type ExploreState } from './explore-address';
import { boundsOf, withBounds } from './simple-filters';

const STATE: ExploreState = { ...readState(new URLSearchParams()), caption: 'a boat', block: 2 };

describe('a change of what Explore shows', () => {
  it('leaves the rest as it is, at the beginning of the result', () => {
    expect(changed(STATE, { level: 1 })).toEqual({ ...STATE, level: 1, block: 0 });
    expect(changed(STATE, { block: 3 })).toEqual({ ...STATE, block: 3 });
  });

  it('adds to the filters of that moment', () => {
    const from = withBounds([], 'width', { from: 1, to: null });
    const { filters } = changed(
      { ...STATE, filters: from },
      { filters: (current) => withBounds(current, 'width', { ...boundsOf(current, 'width'), to: 9 }) },
    );
    expect(boundsOf(filters, 'width')).toEqual({ from: 1, to: 9 });
  });
});
