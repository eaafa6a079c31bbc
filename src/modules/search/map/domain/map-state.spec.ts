import type { DatasetPointer } from '../../../datasets';
import type { Filter } from '../../query/domain/filter';
import { makeSearchQuery } from '../../query/domain/make-search-query';
import { isSameMap, mapVersionOf, type MapView } from './tile-bytes';

const cuts = { confidence: 0.5 };
const pointer = { generation: 'g', version: 1, tagsFile: null } as DatasetPointer;

const at = (version: number, tagsFile: string | null): string =>
  mapVersionOf({ generation: 'g', version, tagsFile } as DatasetPointer);

const view = (colour: MapView['colour'], ...filters: Filter[]): MapView => ({
  colour,
  query: makeSearchQuery({ entityType: 'IMAGES', level: 0, filters, caption: undefined, anchor: undefined }),
});

const UNTAGGED: Filter = { kind: 'untagged' };

describe('mapVersionOf', () => {
  it('differs after a change of the table', () => {
    expect(isSameMap(at(1, 't'), at(1, 't'), view('label'))).toBe(true);
    expect(isSameMap(at(1, 't'), at(2, 't'), view('label'))).toBe(false);
    expect(isSameMap('', mapVersionOf(null))).toBe(false);
    expect(isSameMap(mapVersionOf(null), at(1, 't'))).toBe(false);
  });

  it('differs after another run of an evaluation only for views that show or filter by it', () => {
    const outcomes = (of: object): MapView => ({ ...view('outcome'), ...of });
    const filtered = (file: string): MapView =>
      view('label', {
        kind: 'not',
        filter: { kind: 'evaluation', evaluation: 'e', outcomes: ['fp'], found: { of: { file, cuts } } },
      });
    const isSame = (before: MapView, after: MapView): boolean =>
      isSameMap(mapVersionOf(pointer, before), mapVersionOf(pointer, after), after);
    expect(isSame(filtered('f'), filtered('f'))).toBe(true);
    expect(isSame(filtered('f'), filtered('g'))).toBe(false);
    expect(isSame(outcomes({ evaluated: { file: 'f', cuts } }), outcomes({ evaluated: { file: 'g', cuts } }))).toBe(
      false,
    );
    expect(isSame(view('label'), view('label'))).toBe(true);
    expect(isSameMap(mapVersionOf(pointer, filtered('f')), mapVersionOf(pointer))).toBe(true);
  });

  it('differs after a change of tags only for views that show or filter by tags', () => {
    const changed = (of?: MapView): boolean => !isSameMap(at(1, null), at(1, 't'), of);
    expect(changed()).toBe(false);
    expect(changed(view('label', { kind: 'unlabeled' }))).toBe(false);
    expect(changed(view('tag'))).toBe(true);
    expect(changed(view('label', UNTAGGED))).toBe(true);
    const nested: Filter = { kind: 'or', filters: [{ kind: 'not', filter: UNTAGGED }] };
    expect(changed(view('label', nested))).toBe(true);
  });
});
