import {
  colouringOf,
  evaluationOf,
  textOfView,
  viewOf,
  viewText,
  withColouring,
  withEvaluation,
  withViewText,
} from './map-address';
import { fitted } from './viewport';

const SIZE = { width: 900, height: 700 };

describe('map address', () => {
  it('contains the visible part', () => {
    const view = { x: 0.25, y: 0.75, scale: 12_345 };
    const read = viewOf(textOfView(view, SIZE), SIZE, 1e6);
    expect(read.x).toBeCloseTo(0.25, 4);
    expect(read.y).toBeCloseTo(0.75, 4);
    expect(Math.log2(read.scale / 12_345)).toBeCloseTo(0, 2);
  });

  it('is short if the whole map is visible', () => {
    expect(textOfView(fitted(SIZE), SIZE)).toBeNull();
  });

  it.each([null, '', '1,2', '1,2,x', '0.5,0.5,1,1', 'Infinity,0,0'])('shows the whole map for %j', (text) => {
    expect(viewOf(text, SIZE, 1e6)).toEqual(fitted(SIZE));
  });

  it('stays within the map', () => {
    expect(viewOf('9,-9,99', SIZE, 1e6)).toEqual({ x: 1, y: 0, scale: 1e6 });
  });

  it('keeps other parameters', () => {
    const params = new URLSearchParams('vql=%5B%5D&media=a');
    const changed = withViewText(withColouring(params, 'label'), '0.1,0.2,3.00');
    expect(colouringOf(changed)).toBe('label');
    expect(viewText(changed)).toBe('0.1,0.2,3.00');
    expect(withViewText(withColouring(changed, 'cluster'), null).toString()).toBe(params.toString());
  });

  it('has an evaluation as long as outcomes are the colours', () => {
    const params = withEvaluation(withColouring(new URLSearchParams(), 'outcome'), 'e');
    expect(evaluationOf(withColouring(params, 'outcome'))).toBe('e');
    expect(withColouring(params, 'cluster').toString()).toBe('');
  });

  it('colours by cluster by default', () => {
    expect(['', 'colour=tag', 'colour=nothing'].map((text) => colouringOf(new URLSearchParams(text)))).toEqual([
      'cluster',
      'tag',
      'cluster',
    ]);
  });
});
