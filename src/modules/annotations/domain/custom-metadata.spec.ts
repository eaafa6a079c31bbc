import type { MetadataValue } from '../../../common/engine/media-table/media-row';
import { KnownFields, withMetadata, type TypedMetadata } from './custom-metadata';

const OLD: MetadataValue = { name: 'site', type: 'string', value: 'north' };
const NEW: MetadataValue = { name: 'depth', type: 'float', value: 0.5 };
const after = (
  mode: 'add' | 'replace',
  customMetadata: readonly MetadataValue[] | null,
  given?: readonly TypedMetadata[],
): readonly MetadataValue[] | null => withMetadata({ customMetadata }, given, mode).customMetadata;

describe('custom metadata', () => {
  it('is added to existing fields, in the order of the names', () => {
    expect(after('add', [OLD], [NEW])).toEqual([NEW, OLD]);
    expect(after('add', null, [OLD, { ...OLD, value: 'south' }])).toEqual([{ ...OLD, value: 'south' }]);
  });

  it('replaces existing values', () => {
    expect(after('replace', [OLD], [NEW])).toEqual([NEW]);
    expect(after('replace', [OLD], [])).toBeNull();
  });

  it('is removed by null, and unchanged if omitted', () => {
    expect(after('add', [OLD, NEW], [{ name: 'depth', value: null }])).toEqual([OLD]);
    expect(after('add', [OLD], [{ name: 'site', value: null }])).toBeNull();
    expect(after('replace', [OLD])).toEqual([OLD]);
  });

  it('has one type for each field', () => {
    const fields = new KnownFields([{ name: 'site', type: 'string', enumOptions: null, isMulti: false }]);
    expect(fields.typed({ name: 'site', value: 'north' })).toEqual(OLD);
    expect(fields.typed({ name: 'depth', type: 'float', value: 0.5 })).toEqual(NEW);
    expect(fields.typed({ name: 'site', type: 'float', value: 1 })).toEqual({
      reason: 'The field "site" has values of the type string, not float.',
    });
    expect(fields.typed({ name: 'depth', value: 'deep' })).toEqual({
      reason: 'The field "depth" has the type float; "deep" is not a finite number.',
    });
    expect(fields.added).toEqual([{ name: 'depth', type: 'float', enumOptions: null, isMulti: false }]);
  });

  it('has a limited number of fields', () => {
    const fields = new KnownFields(
      Array.from({ length: 500 }, (_, at) => ({ name: `${at}`, type: 'float', enumOptions: null, isMulti: false })),
    );
    expect(fields.typed({ name: 'one more', value: 1 })).toEqual({
      reason: 'The dataset would have more than 500 fields, which is the limit.',
    });
    expect(fields.typed({ name: 'one more', value: null })).toEqual({ name: 'one more', value: null });
  });
});
