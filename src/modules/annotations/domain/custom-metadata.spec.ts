import type { MetadataValue } from '../../../common/engine/media-table/media-row';
import { MetadataTypes, withMetadata, type GivenMetadata } from './custom-metadata';

const OLD: MetadataValue = { name: 'site', type: 'string', value: 'north' };
const NEW: MetadataValue = { name: 'depth', type: 'float', value: 0.5 };
const after = (
  mode: 'add' | 'replace',
  customMetadata: readonly MetadataValue[] | null,
  given?: readonly GivenMetadata[],
): readonly MetadataValue[] | null => withMetadata({ customMetadata }, given, mode).customMetadata;

describe('custom metadata', () => {
  it('is added to what is there, in the order of the names', () => {
    expect(after('add', [OLD], [NEW])).toEqual([NEW, OLD]);
    expect(after('add', null, [OLD, { ...OLD, value: 'south' }])).toEqual([{ ...OLD, value: 'south' }]);
  });

  it('replaces what is there', () => {
    expect(after('replace', [OLD], [NEW])).toEqual([NEW]);
    expect(after('replace', [OLD], [])).toBeNull();
  });

  it('is removed by null, and unchanged without a mention', () => {
    expect(after('add', [OLD, NEW], [{ name: 'depth', value: null }])).toEqual([OLD]);
    expect(after('add', [OLD], [{ name: 'site', value: null }])).toBeNull();
    expect(after('replace', [OLD])).toEqual([OLD]);
  });

  it('has one type for each field', () => {
    const types = new MetadataTypes();
    expect(types.add(OLD)).toBeUndefined();
    expect(types.add(NEW)).toBeUndefined();
    expect(types.add({ ...OLD, type: 'float' })).toBe('The field "site" has values of the type string, not float.');
  });
});
